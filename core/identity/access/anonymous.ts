import type { Members } from "../../base/index.ts";
/**
 * Returns whether a call has no credentials and needs none. A call needs no credentials if it reads countries, signs up
 * where sign-up is open, or queries public data.
 */
export function isAnonymous(
  body: Members<"key" | "token">,
  resource: string,
  isSignUpOpen: boolean,
): boolean {
  if (body.key !== undefined || body.token !== undefined) return false;
  const { action } = body;
  return resource === "country" || resource === "data"
    ? action === "get" || action === "search"
    : resource === "user" && action === "create" && isSignUpOpen;
}
