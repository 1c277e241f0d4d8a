import type { Knex } from "knex";

/**
 * What the store has to do for a dataset. `drop`: forget its rows. `dropColumn`: forget a column's values.
 * `settle`: make record and store agree after a push that may have reached only one of them.
 */
export type Task =
  | { readonly action: "drop" | "settle"; readonly securableId: string }
  | { readonly action: "dropColumn"; readonly securableId: string; readonly columnId: string };

/**
 * Writes a task in the transaction of the change that it belongs to, so that there is neither without the other, or
 * alone; answers its id. With `dueInMs` nobody carries it out before.
 */
export async function addTask(
  transaction: Knex | Knex.Transaction,
  task: Task,
  dueInMs = 0,
): Promise<string> {
  const [added] = await transaction("outbox").insert(
    {
      action: task.action,
      securable_id: task.securableId,
      column_id: task.action === "dropColumn" ? task.columnId : null,
      due_at: transaction.raw("clock_timestamp() + ? * interval '1 millisecond'", [dueInMs]),
    },
    "id",
  );
  return String(added.id);
}
