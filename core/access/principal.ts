/** Who makes a call: made by `authenticate` from key and token, never from anything else in the body. */
export interface Principal {
  readonly authorizationId: string;
  readonly authorizationType: "api";
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationRole: "member" | "editor" | "owner";
  readonly name: string;
  readonly email: string;
}

/** What one may do to a record; each includes those before it. */
export const rights = ["read", "use", "modify", "own"] as const;
export type Right = (typeof rights)[number];
