import type { Knex } from "knex";
import type { Principal } from "../access/principal.ts";
import type { Action } from "../call.ts";
import type { Records } from "../resources/records.ts";

/** Who makes a change, and in which request. */
export interface Doer {
  readonly principal: Principal;
  readonly requestId?: string | undefined;
}

/** One change of one record. Values are never part of it: contents are large, and credentials secret. */
export interface Change {
  readonly action: Action;
  readonly resource: string;
  readonly recordId: string;
  /** Names of the members that were set. */
  readonly members?: readonly string[];
  /** The other record of an association. */
  readonly target?: { readonly role: string; readonly resource: string; readonly id: string };
}

/** Writes one audit event in the transaction of the change, so that there is neither without the other. One statement. */
export async function writeAudit(
  records: Pick<Records, "insert">,
  { principal, requestId }: Doer,
  { action, resource, recordId, members = [], target }: Change,
  transaction: Knex.Transaction,
): Promise<void> {
  await records.insert(
    "auditevent",
    {
      organization_id: principal.organizationId,
      user_id: principal.userId,
      authorization_id: principal.authorizationId,
      request_id: requestId ?? null,
      action,
      resource,
      record_id: recordId,
      members,
      target: target ?? null,
    },
    transaction,
  );
}
