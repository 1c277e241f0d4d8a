import { type ApiCall, isUuid, type Principal, type Records } from "../../base/index.ts";

/** A call that may read data, and its caller. */
export interface AuditedCall extends Pick<ApiCall, "resource" | "action" | "body" | "requestId"> {
  readonly principal: Pick<Principal, "organizationId" | "userId" | "authorizationId">;
}

/** Writes the audit event of a call, if its action reads data. */
export type ReadAudit = (call: AuditedCall, address: string) => Promise<void>;

/** Actions that read data without changing it. */
const reading: readonly string[] = [
  "get",
  "explain",
  "list",
  "validate",
  "preview",
  "test",
  "backtest",
];
/** Maximum number of ids in one event. */
const mostIds = 20;
/** Maximum depth at which ids are found: that of bodies, because inner queries (`from`) can be nested. */
const mostDepth = 64;

/**
 * Creates the audit of reads. It writes one event for each call that reads data, before the host responds to the call.
 * The event names the requested record or the first dataset of the queries, and lists the other ids in `members`. Each
 * audited call costs one transaction.
 * @throws if the catalog does not accept the event; the host must then not respond with data
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

/** Returns the ids of records that a call names, in order and without duplicates. */
function idsIn(body: unknown): readonly string[] {
  const ids = new Set<string>();
  const add = (value: unknown) => {
    for (const id of [value].flat())
      if (isUuid(id) && ids.size < mostIds) ids.add(id.toLowerCase());
  };
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > mostDepth || ids.size >= mostIds)
      return;
    for (const [member, inner] of Object.entries(value)) {
      if (member === "id" || member === "dataset_id") add(inner);
      walk(inner, depth + 1);
    }
  };
  walk(body, 0);
  return [...ids];
}
