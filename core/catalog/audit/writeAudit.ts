import type { Knex } from "knex";
import type { Principal, Action, Records } from "../../base/index.ts";

/** The caller that makes a change, and the request with which the caller makes it. */
export interface Actor {
  readonly principal: Principal;
  readonly requestId?: string | undefined;
  /** The caller's address; undefined for work of the host itself. */
  readonly address: string | undefined;
}

/**
 * Events other than API actions: failed sign-ins, sign-in links of the operator, links to choose a password, changes of
 * second factors, approvals of charts, and overrides that send a plugin's secret elsewhere.
 */
export type AccountAction =
  | "secret_redirect"
  | "sign_in_failed"
  | "second_factor_add"
  | "second_factor_remove"
  | "recovery_codes_make"
  | "owner_recover"
  | "sign_in_link_create"
  | "invitation_create"
  | "password_link_create"
  | "password_set"
  | "chart_approve"
  | "chart_withdraw";

/** One change to one record. It never contains values, because contents are large and credentials are secret. */
export interface Change {
  readonly action: Action | AccountAction;
  readonly resource: string;
  readonly recordId: string;
  /** Names of the members that were set. */
  readonly members?: readonly string[];
  /** The other record of an association. For a sign-in, the address from which the user signed in. */
  readonly target?: { readonly role: string; readonly resource: string; readonly id: string };
}

function eventOf(
  { principal, requestId, address }: Actor,
  { action, resource, recordId, members = [], target }: Change,
): Readonly<Record<string, unknown>> {
  return {
    organization_id: principal.organizationId,
    user_id: principal.userId,
    authorization_id: principal.authorizationId,
    request_id: requestId ?? null,
    action,
    resource,
    record_id: recordId,
    members,
    target: target ?? null,
    address: address ?? null,
  };
}

/**
 * Writes one audit event in the transaction of the change, so that neither is stored without the other. Executes one
 * SQL statement.
 */
export async function writeAudit(
  records: Pick<Records, "insert">,
  actor: Actor,
  change: Change,
  transaction: Knex.Transaction,
): Promise<void> {
  await records.insert("auditevent", eventOf(actor, change), transaction);
}

/**
 * Writes one audit event for each change, in the transaction of the changes. Executes one SQL statement per 500 events.
 */
export async function writeAudits(
  records: Pick<Records, "insertMany">,
  actor: Actor,
  changes: readonly Change[],
  transaction: Knex.Transaction,
): Promise<void> {
  const events = changes.map((change) => eventOf(actor, change));
  await records.insertMany("auditevent", events, transaction);
}
