import { Memory } from "../../../engine/memory/memory.ts";
import { Table } from "../../../engine/table/table.ts";
import type { ColumnSnapshot } from "../../../engine/table/snapshot.ts";

/** Stores numbers in a table, and returns its columns. */
export function columnsOf(columns: readonly Float64Array[]): readonly ColumnSnapshot[] {
  const table = new Table("t", new Memory({ budgetBytes: 2 ** 26 }), true, 0);
  const names = columns.map((_, index) => `column ${index}`);
  table.apply({
    add: names.map((name) => ({ name, type: "number" })),
    rows: {
      names,
      batch: {
        rowCount: columns[0]?.length ?? 0,
        columns: columns.map((values) => ({ type: "number", values })),
      },
    },
  });
  return [...table.snapshot().columns.values()];
}
