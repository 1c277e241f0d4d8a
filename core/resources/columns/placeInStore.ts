import { ApiError, type Connection } from "../../base/index.ts";
import type { WriteColumn } from "../../../plugins/protocol/index.ts";

/**
 * Makes sure that the store holds a dataset with these columns: makes its table, or adds the columns that the table
 * lacks. A push and a column that joins may do so at the same time: who comes second looks again. At least one column.
 * @throws {ApiError} CONFLICT when the store holds a column with another type
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
        `the values of the column ${id} are ${typeOf.get(id)}, the column says ${type}`,
      ]);
  const add = columns.filter(({ id }) => !typeOf.has(id));
  if (add.length > 0) await store.write({ action: "alter", id: datasetId, add }, caller);
}
