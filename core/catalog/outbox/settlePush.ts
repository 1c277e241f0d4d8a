import type { Knex } from "knex";
import type { SettledRows } from "./carryOut.ts";
import type { TaskRow } from "./taskRow.ts";

/**
 * Records the outcome of a push that did not commit, so that its caller can repeat the call. A create or replace has
 * left no rows and can be repeated. For an append, the store's rows show whether it was stored. If those rows could
 * belong to other pushes, the outcome is unknown, and the caller is told so. A refused call stays recorded, so that
 * rows that reach the store late are attributed to the call when it is repeated. Also corrects the recorded size of the
 * dataset.
 */
export async function settlePush(
  row: Pick<
    TaskRow,
    | "action"
    | "securable_id"
    | "byte_count"
    | "authorization_id"
    | "request_id"
    | "rows_before"
    | "rows_added"
  >,
  rows: SettledRows | undefined,
  transaction: Knex.Transaction,
): Promise<void> {
  const { stored: storedRows, recorded } = rows ?? { stored: undefined };
  const before = row.rows_before === null ? undefined : Number(row.rows_before);
  const added = Number(row.rows_added ?? 0);
  const isRefused = row.action !== "settle" || before === undefined || storedRows === before;
  if (!isRefused && row.byte_count !== null)
    await transaction.raw(
      `insert into datasetsize as d (securable_id, byte_count)
       select s.id, ? from securable s where s.id = ?
       on conflict (securable_id) do update set byte_count = d.byte_count + excluded.byte_count`,
      [row.byte_count, row.securable_id],
    );
  // Only the store knows which rows an update or a replace has changed. The remaining rows are taken to have the
  // average
  // size of the rows before.
  if (before === undefined && storedRows !== undefined && recorded)
    await transaction("datasetsize")
      .where({ securable_id: row.securable_id })
      .update({
        byte_count: transaction.raw("round(byte_count * ?::float8)", [storedRows / recorded]),
      });
  if (row.authorization_id === null || row.request_id === null) return;
  const call = transaction("push_request").where({
    authorization_id: row.authorization_id,
    request_id: row.request_id,
  });
  if (isRefused) await call.whereNull("answer").update({ outcome: "refused" });
  else
    await call
      .whereNull("answer")
      .update({ outcome: storedRows === before + added ? "taken" : "unknown" });
}
