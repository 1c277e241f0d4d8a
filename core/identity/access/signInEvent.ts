import type { Change } from "../../catalog/index.ts";

/**
 * Returns the audit event of a sign-in that created a session or a login pair. `ways` are the steps of the sign-in,
 * such as `password` and `app`.
 */
export function signInEvent(
  recordId: string,
  ways: readonly string[],
  address: string,
  action: "create" | "sign_in_failed" = "create",
): Change {
  const target = { role: "From", resource: "address", id: address };
  return { action, resource: "authorization", recordId, members: ways, target };
}
