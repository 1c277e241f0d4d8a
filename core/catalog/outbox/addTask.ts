import type { Knex } from "knex";
import { presentKeys } from "../openPresence.ts";
import { ApiError } from "../../base/index.ts";

/**
 * What the store has to do for a dataset. `drop`: forget its rows, but where its record
 * says they are. `dropColumn`: forget a column's values.
 * `settle`: make record and store agree after a push that may have reached only one of them. `wait`: nothing; a change
 * of the dataset waits for its turn.
 */
export type Task =
  | { readonly action: "drop" | "settle" | "wait"; readonly securableId: string }
  | { readonly action: "dropColumn"; readonly securableId: string; readonly columnId: string };

/** The push behind a task, counted while it is under way. */
export interface TaskOfPush {
  readonly organizationId: string;
  readonly rowCount: number;
  readonly byteCount: number;
  /** The call of a push with an id of its caller. */
  readonly request?: PushedRequest;
}

/** A call that is carried out once, and how to know whether the store took its rows. */
export interface PushedRequest {
  readonly authorizationId: string;
  readonly requestId: string;
  /** Rows of the dataset before, and rows added to them; null where a second time changes nothing. */
  readonly rows: { readonly before: number; readonly added: number } | null;
}

/** More of a task than its work. */
export interface TaskMembers {
  readonly push?: TaskOfPush;
  /** The presence of the host at work: the task is due when that is gone. */
  readonly hostKey?: number | undefined;
}

/**
 * Writes a task in the transaction of the change that it belongs to, so that there is neither without the other, or
 * alone; answers its id. With `dueInMs` nobody carries it out before, but when its host is gone. A `wait` is a place in
 * the turns of its dataset.
 */
export async function addTask(
  transaction: Knex | Knex.Transaction,
  task: Task,
  dueInMs = 0,
  { push, hostKey }: TaskMembers = {},
): Promise<string> {
  const [added] = await transaction("outbox").insert(
    {
      action: task.action,
      securable_id: task.securableId,
      column_id: task.action === "dropColumn" ? task.columnId : null,
      ...(task.action === "wait" && { turn_of: task.securableId }),
      // A host that the server does not see has leases alone.
      ...(hostKey !== undefined && {
        host_key: transaction.raw(`case when ? in (${presentKeys}) then ?::integer end`, [
          hostKey,
          hostKey,
        ]),
      }),
      ...(push && membersOfPush(push)),
      due_at: transaction.raw("clock_timestamp() + ? * interval '1 millisecond'", [dueInMs]),
    },
    "id",
  );
  return String(added.id);
}

/** Makes a place in the turns of a dataset the task of the change whose turn it is. */
export async function beginTask(
  transaction: Knex | Knex.Transaction,
  id: string,
  { action }: Task,
  push?: TaskOfPush,
): Promise<void> {
  const begun = await transaction("outbox")
    .where({ id })
    .update({ action, ...(push && membersOfPush(push)) });
  if (begun !== 1)
    throw new ApiError("HOST_BUSY", ["the catalog, which lost sight of it"], { retryAfterS: 1 });
}

function membersOfPush({ organizationId, rowCount, byteCount, request }: TaskOfPush) {
  return {
    organization_id: organizationId,
    row_count: Math.max(0, rowCount),
    byte_count: Math.max(0, byteCount),
    authorization_id: request?.authorizationId ?? null,
    request_id: request?.requestId ?? null,
    rows_before: request?.rows?.before ?? null,
    rows_added: request?.rows?.added ?? null,
  };
}
