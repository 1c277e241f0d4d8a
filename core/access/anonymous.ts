import type { Principal } from "./principal.ts";

const nobody = "00000000-0000-0000-0000-000000000000";

/** Who calls without key and token: no user, in no organization. */
export const anonymous: Principal = {
  authorizationId: nobody,
  authorizationType: "temporary",
  userId: nobody,
  organizationId: nobody,
  organizationRole: "member",
  name: "",
  email: "",
};

/** Tells whether a call names no credentials at all and asks for what is public: the countries. */
export function isAnonymous(body: Readonly<Record<string, unknown>>, resource: string): boolean {
  return (
    resource === "country" &&
    (body["action"] === "get" || body["action"] === "search") &&
    body["key"] === undefined &&
    body["token"] === undefined
  );
}
