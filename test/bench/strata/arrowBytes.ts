import {
  Dictionary,
  Float64,
  Int32,
  Table,
  tableToIPC,
  TimestampMillisecond,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { factColumns } from "./columns.ts";
import { generateTable, textOf, type TextColumn } from "./generateTable.ts";

/** Returns an Arrow IPC stream of all columns. Strings have dictionaries. */
export function arrowBytes(seed: number, rowCount: number): Uint8Array {
  const block = generateTable({ seed, rowCount, from: 0, count: rowCount });
  const columns = factColumns.map(({ name, type }) => {
    const values = block[name as keyof typeof block];
    if (type === "text")
      return [
        name,
        vectorFromArray(
          Array.from(values, (code) => textOf[name as TextColumn](code)),
          new Dictionary(new Utf8(), new Int32()),
        ),
      ];
    if (type === "datetime")
      return [name, vectorFromArray(Array.from(values), new TimestampMillisecond())];
    return [
      name,
      vectorFromArray(
        Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
        new Float64(),
      ),
    ];
  });
  return tableToIPC(new Table(Object.fromEntries(columns)), "stream");
}
