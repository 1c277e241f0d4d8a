import type { Knex } from "knex";

/**
 * What the store has to do for a dataset. `drop`: forget its rows, but where its record
 * says they are. `dropColumn`: forget a column's values.
 * `settle`: make record and store agree after a push that may have reached only one of them.
 */
export type Task =
  | { readonly action: "drop" | "settle"; readonly securableId: string }
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

/**
 * Writes a task in the transaction of the change that it belongs to, so that there is neither without the other, or
 * alone; answers its id. With `dueInMs` nobody carries it out before.
 */
export async function addTask(
  transaction: Knex | Knex.Transaction,
  task: Task,
  dueInMs = 0,
  push?: TaskOfPush,
): Promise<string> {
  const [added] = await transaction("outbox").insert(
    {
      action: task.action,
      securable_id: task.securableId,
      column_id: task.action === "dropColumn" ? task.columnId : null,
      ...(push && {
        organization_id: push.organizationId,
        row_count: Math.max(0, push.rowCount),
        byte_count: Math.max(0, push.byteCount),
        authorization_id: push.request?.authorizationId ?? null,
        request_id: push.request?.requestId ?? null,
        rows_before: push.request?.rows?.before ?? null,
        rows_added: push.request?.rows?.added ?? null,
      }),
      due_at: transaction.raw("clock_timestamp() + ? * interval '1 millisecond'", [dueInMs]),
    },
    "id",
  );
  return String(added.id);
}
