import { jsonColumns } from "./columns.ts";
import { generateTable, textOf, type TextColumn } from "./generateTable.ts";

const rowsPerBatch = 10_000;

/** Returns request bodies in the form that an API receives: JSON arrays of 10,000 rows. */
export function jsonBatches(seed: number, rowCount: number): Uint8Array[] {
  const encoder = new TextEncoder();
  return Array.from({ length: Math.ceil(rowCount / rowsPerBatch) }, (_, index) => {
    const from = index * rowsPerBatch;
    const count = Math.min(rowsPerBatch, rowCount - from);
    const block = generateTable({ seed, rowCount, from, count });
    const rows = Array.from({ length: count }, (__, row) =>
      jsonColumns.map(({ name, type }) => {
        const value = block[name as keyof typeof block][row]!;
        if (type === "text") return textOf[name as TextColumn](value);
        if (type === "datetime") return new Date(value).toISOString();
        return Number.isNaN(value) ? null : value;
      }),
    );
    return encoder.encode(JSON.stringify(rows));
  });
}
