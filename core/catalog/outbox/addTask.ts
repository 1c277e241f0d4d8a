import type { Knex } from "knex";
import { presentKeys } from "../openPresence.ts";
import { ApiError } from "../../base/index.ts";

/**
 * Work that the store has to do for a dataset:
 *
 * - `drop` removes the dataset's rows, except from the store that its record names.
 * - `dropColumn` removes a column's values.
 * - `settle` makes record and store agree after a push that may have reached only one of them.
 * - `wait` does nothing. It marks the place of a waiting change in the queue of the dataset.
 */
export type Task =
  | { readonly action: "drop" | "settle" | "wait"; readonly securableId: string }
  | { readonly action: "dropColumn"; readonly securableId: string; readonly columnId: string };

/** The push that a task belongs to. While the push is running, its rows count as stored. */
export interface TaskOfPush {
  readonly organizationId: string;
  readonly rowCount: number;
  readonly byteCount: number;
  /** The call that pushes, if the caller sent an id for it. */
  readonly request?: PushedRequest;
}

/** A call that must take effect only once, with the numbers that show whether the store contains its rows. */
export interface PushedRequest {
  readonly authorizationId: string;
  readonly requestId: string;
  /**
   * Number of rows in the dataset before the call, and number of rows that the call adds; null if repeating the call
   * changes nothing.
   */
  readonly rows: { readonly before: number; readonly added: number } | null;
}

/** What a task belongs to: a push, and the host that works on it. */
export interface TaskMembers {
  readonly push?: TaskOfPush;
  /** Key of the host that works on the task. The task becomes due when that host is gone. */
  readonly hostKey?: number | undefined;
}

/**
 * Writes a task, either alone or in the transaction of the change to which it belongs, so that neither is stored
 * without the other. Resolves to the task's id. The task becomes due after `dueInMs`, or as soon as its host is gone. A
 * `wait` task is a place in the queue of its dataset.
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
      // If the server does not show the host's session, only leases apply.
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

/** Replaces a `wait` task with the task of its change, whose turn has come. */
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
    throw new ApiError("HOST_BUSY", ["other changes, so this change lost its turn"], {
      retryAfterS: 1,
    });
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
