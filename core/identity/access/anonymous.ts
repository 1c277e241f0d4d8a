import type { Members } from "../../base/index.ts";
/**
 * Returns whether a call names no credentials and asks for what takes none: to read countries, to sign up where
 * that is open, and to query data, which answers what is open to the public alone.
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
