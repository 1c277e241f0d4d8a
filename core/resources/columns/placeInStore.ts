import { ApiError, type Connection } from "../../base/index.ts";
import type { WriteColumn } from "../../../plugins/protocol/index.ts";

/**
 * Ensures that the store has a table with these columns, by creating the table or adding the missing columns. If a push
 * and a newly associated column do this at the same time, the slower one checks the table again. Needs at least one
 * column.
 * @throws {ApiError} CONFLICT if the store has a column with another type
 */
export async function placeInStore(
  store: Connection,
  datasetId: string,
  columns: readonly WriteColumn[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await place(store, datasetId, columns, signal);
  } catch (failure) {
    if (failure instanceof ApiError || signal.aborted) throw failure;
    await place(store, datasetId, columns, signal);
  }
}

async function place(
  store: Connection,
  datasetId: string,
  columns: readonly WriteColumn[],
  signal: AbortSignal,
): Promise<void> {
  const caller = { signal };
  const stored = (await store.datasets(caller)).find(({ id }) => id === datasetId);
  if (!stored) {
    await store.write({ action: "create", id: datasetId, columns }, caller);
    return;
  }
  const typeOf = new Map(stored.columns.map(({ id, type }) => [id, type]));
  for (const { id, type } of columns)
    if (typeOf.has(id) && typeOf.get(id) !== type)
      throw new ApiError("CONFLICT", [
        `the stored values of the column ${id} have type ${typeOf.get(id)}, but the column declares ${type}`,
      ]);
  const add = columns.filter(({ id }) => !typeOf.has(id));
  if (add.length > 0) await store.write({ action: "alter", id: datasetId, add }, caller);
}
