import type { Store, BatchColumn } from "../../../engine/index.ts";
import { factColumns } from "./columns.ts";
import { column } from "./planParts.ts";
import { openBenchStore } from "./systems/openStrataStore.ts";

/** Memory used by a column of the table `f`. */
export interface ColumnSize {
  readonly name: string;
  /** Bytes per row, without the dictionary. */
  readonly bytesPerRow: number;
  readonly dictionaryBytes: number;
}

/**
 * Measures the memory of a store's columns by dropping one column after another, which destroys the store. A second
 * table, which contains each string once, separates the memory of dictionaries from that of rows.
 */
export async function measureColumns({
  dir,
}: {
  readonly dir: string;
}): Promise<{ readonly memoryBytes: number; readonly columns: readonly ColumnSize[] }> {
  const store = await openBenchStore(dir);
  try {
    const rowCount = store.table("f")?.rowCount ?? 0;
    await touch(store);
    const memoryBytes = store.table("f")?.memoryBytes ?? NaN;
    const columns: ColumnSize[] = [];
    for (const { name, type } of factColumns) {
      const distinct = type === "text" ? await distinctTexts(store, name) : undefined;
      const before = store.table("f")?.memoryBytes ?? NaN;
      await store.alter({ table: "f", drop: [name] });
      const sizeBytes = before - (store.table("f")?.memoryBytes ?? NaN);
      const onceBytes = distinct ? await bytesOnce(store, distinct.vector, distinct.rowCount) : 0;
      const bytesPerRow = distinct
        ? (sizeBytes - onceBytes) / (rowCount - distinct.rowCount)
        : sizeBytes / rowCount;
      columns.push({ name, bytesPerRow, dictionaryBytes: sizeBytes - bytesPerRow * rowCount });
    }
    return { memoryBytes, columns };
  } finally {
    await store.close();
  }
}

/** Reads every column once, because a store loads columns on first use. */
async function touch(store: Store): Promise<void> {
  for (const { name } of factColumns)
    await store.query({
      table: "f",
      outputs: [{ kind: "aggregate", function: "max", of: column(name) }],
      grouped: true,
    });
}

async function distinctTexts(
  store: Store,
  name: string,
): Promise<{ readonly vector: BatchColumn; readonly rowCount: number }> {
  const answer = await store.query({
    table: "f",
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
