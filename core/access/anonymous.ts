/** Tells whether a call names no credentials at all and asks for what takes none: to read countries, to sign up where that is open. */
export function isAnonymous(
  body: Readonly<Record<string, unknown>>,
  resource: string,
  isSignUpOpen: boolean,
): boolean {
  if (body["key"] !== undefined || body["token"] !== undefined) return false;
  const { action } = body;
  return resource === "country"
    ? action === "get" || action === "search"
    : resource === "user" && action === "create" && isSignUpOpen;
}
