import { type ApiCall, isUuid, type Principal, type Records } from "../../base/index.ts";

/** A call that may read, by whom. */
export interface AuditedCall extends Pick<ApiCall, "resource" | "action" | "body" | "requestId"> {
  readonly principal: Pick<Principal, "organizationId" | "userId" | "authorizationId">;
}

/** Writes who read what. */
export type ReadAudit = (call: AuditedCall, address: string) => Promise<void>;

/** Actions that change nothing, and show something. */
const reading: readonly string[] = ["get", "explain", "validate", "preview", "test", "backtest"];
/** Ids that one event names. */
const mostIds = 20;

/**
 * Makes the audit of reads: one event for each call that shows something, before it is answered. It names the record
 * that was asked for, or the first dataset of the queries, and in `members` the other ones. One transaction a call.
 * @throws when the catalog does not take the event: nothing is shown then
 */
export function createReadAudit(records: Pick<Records, "insert">): ReadAudit {
  return async ({ resource, action, body, principal, requestId }, address) => {
    if (!reading.includes(action)) return;
    const [first = "", ...others] = idsIn(body);
    await records.insert("auditevent", {
      organization_id: principal.organizationId,
      user_id: principal.userId,
      authorization_id: principal.authorizationId,
      request_id: requestId,
      action,
      resource,
      record_id: first,
      members: others,
      address,
    });
  };
}

/** The ids of records that a call names, each once, in the order in which they come. */
function idsIn(body: unknown): readonly string[] {
  const ids = new Set<string>();
  const add = (value: unknown) => {
    for (const id of [value].flat())
      if (isUuid(id) && ids.size < mostIds) ids.add(id.toLowerCase());
  };
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > 8 || ids.size >= mostIds) return;
    for (const [member, inner] of Object.entries(value)) {
      if (member === "id" || member === "dataset_id") add(inner);
      walk(inner, depth + 1);
    }
  };
  walk(body, 0);
  return [...ids];
}
