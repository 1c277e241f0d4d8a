import type { NamedBatch, Scalar } from "../../../engine/index.ts";

export const groupRows = 65_536;

/** Returns the cells of a row: a number, a string and an instant. The tables of all kept folders contain these rows. */
function cellsOf(row: number): readonly [Scalar, Scalar, Scalar] {
  return [
    row % 9 === 0 ? null : row % 8 === 0 ? -0 : (row % 7) / 4,
    row % 5 === 0 ? null : row % 11 === 0 ? "lone \uD800 half" : `text ${row % 5} 😀`,
    row % 4 === 0 ? null : 1_700_000_000_123 + (row % 3) * 3_600_000,
  ];
}

/** Number of rows: one row group, which compaction writes to a segment file, and ten rows that stay in the log. */
export const keptRows = Array.from({ length: groupRows + 10 }, (_, row) => cellsOf(row));

export const keptColumns = [
  { name: "number", type: "number" },
  { name: "text", type: "text" },
  { name: "instant", type: "datetime" },
] as const;

/** Returns rows of the table as a batch, in a form that every version of the engine accepts. */
export function keptBatch(start: number, end: number): NamedBatch {
  const rows = keptRows.slice(start, end);
  const values = (column: 0 | 2) =>
    Float64Array.from(rows, (cells) => Number(cells[column] ?? NaN));
  const dictionary = [
    ...new Set(rows.flatMap(([, text]) => (text === null ? [] : [String(text)]))),
  ];
  const codes = Int32Array.from(rows, ([, text]) => dictionary.indexOf(String(text)));
  return {
    names: keptColumns.map(({ name }) => name),
    batch: {
      rowCount: rows.length,
      columns: [
        { type: "number", values: values(0) },
        { type: "text", codes, dictionary },
        { type: "datetime", values: values(2) },
      ],
    },
  };
}
