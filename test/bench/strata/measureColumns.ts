import type { BatchColumn, ColumnDefinition, Store } from "../../../engine/index.ts";
import { column } from "./planParts.ts";

/** Memory used by a column of the table `f`. */
export interface ColumnSize {
  readonly name: string;
  /** Bytes per row, without the dictionary. */
  readonly bytesPerRow: number;
  readonly dictionaryBytes: number;
}

/** A table whose columns are measured. */
export interface MeasuredTable {
  readonly store: Store;
  readonly table: string;
  readonly columns: readonly ColumnDefinition[];
}

/**
 * Measures the memory of a table's columns by dropping one column after another, which destroys the table. A second
 * table, which contains each string once, separates the memory of dictionaries from the memory of rows.
 */
export async function measureColumns(
  measured: MeasuredTable,
): Promise<{ readonly memoryBytes: number; readonly columns: readonly ColumnSize[] }> {
  const { store, table } = measured;
  const rowCount = store.table(table)?.rowCount ?? 0;
  await touch(measured);
  const memoryBytes = store.table(table)?.memoryBytes ?? NaN;
  const columns: ColumnSize[] = [];
  for (const { name, type } of measured.columns) {
    const distinct = type === "text" ? await distinctTexts(store, table, name) : undefined;
    const before = store.table(table)?.memoryBytes ?? NaN;
    await store.alter({ table, drop: [name] });
    const sizeBytes = before - (store.table(table)?.memoryBytes ?? NaN);
    const onceBytes = distinct ? await bytesOnce(store, distinct.vector, distinct.rowCount) : 0;
    const bytesPerRow = distinct
      ? (sizeBytes - onceBytes) / (rowCount - distinct.rowCount)
      : sizeBytes / rowCount;
    columns.push({ name, bytesPerRow, dictionaryBytes: sizeBytes - bytesPerRow * rowCount });
  }
  return { memoryBytes, columns };
}

/** Reads every column once, because a store loads columns on first use. */
async function touch({ store, table, columns }: MeasuredTable): Promise<void> {
  for (const { name } of columns)
    await store.query({
      table,
      outputs: [{ kind: "aggregate", function: "max", of: column(name) }],
      grouped: true,
    });
}

async function distinctTexts(
  store: Store,
  table: string,
  name: string,
): Promise<{ readonly vector: BatchColumn; readonly rowCount: number }> {
  const answer = await store.query({
    table,
    outputs: [{ kind: "key", of: column(name) }],
    grouped: true,
  });
  return { vector: answer.columns[0]!, rowCount: answer.rowCount };
}

async function bytesOnce(store: Store, vector: BatchColumn, rowCount: number): Promise<number> {
  const table = "once";
  await store.create({ name: table, columns: [{ name: "text", type: "text" }], temporary: true });
  await store.append({ table, rows: { names: ["text"], batch: { rowCount, columns: [vector] } } });
  const sizeBytes = store.table(table)?.memoryBytes ?? NaN;
  await store.drop({ table });
  return sizeBytes;
}
