import type { BatchColumn, DataType, DecodedRows } from "../../../plugins/protocol/index.ts";
import { detectCells } from "./detectType.ts";
import type { EncodedColumn } from "./encodeRows.ts";
import { parseDate } from "./parseDate.ts";
import type { PushedRows } from "./pushedRows.ts";

export interface DecodedPushOptions {
  /** The rows, decoded with the types that their cells have. */
  readonly decoded: DecodedRows;
  /** Decodes the rows again with the given type for each cell; undefined if a cell does not have its type. */
  readonly decode: (types: readonly DataType[]) => Promise<DecodedRows | undefined>;
  /** Parses the cells. Encoding the parsed rows reports errors with row, column and reason. */
  readonly parse: () => Promise<PushedRows>;
}

/** Returns pushed rows that a thread has decoded. Their cells are parsed only to report an error. */
export function decodedPush({ decoded, decode, parse }: DecodedPushOptions): PushedRows {
  const used = [decoded];
  const { rowCount, columns, digest } = decoded;
  return {
    count: rowCount,
    width: rowCount === 0 ? undefined : columns.length,
    detect(position) {
      const found = columns[position];
      if (!found || found.isEmpty) return { type: "hierarchy", subtype: undefined };
      const { column, isDate } = found;
      if (column.type === "datetime")
        return { type: "datetime", subtype: isDate ? "date" : undefined };
      if (column.type === "numeric") return { type: "numeric", subtype: undefined };
      const { codes } = column;
      // A number among strings has become a string, which is neither a date nor changes which type is detected.
      const cellAt = (row: number) => {
        const code = codes[row] ?? -1;
        return code < 0 ? null : column.dictionary[code];
      };
      return detectCells({ count: rowCount, cellAt });
    },
    async encode(wanted) {
      let rows: DecodedRows | undefined = decoded;
      if (wanted.some((column) => isTextOf(column, rows?.columns[column.position]))) {
        const types = columns.map(({ column }) => column.type);
        for (const { type, position } of wanted) if (type === "hierarchy") types[position] = type;
        rows = await decode(types);
        if (rows) used.push(rows);
      }
      const vectors: BatchColumn[] = [];
      for (const column of wanted) {
        const vector = rows && fitted(rows, column);
        if (!vector) return (await parse()).encode(wanted);
        vectors.push(vector);
      }
      return vectors;
    },
    digest: async () => digest ?? (await parse()).digest(),
    release() {
      for (const each of used) each.release();
    },
  };
}

/** Returns whether a column of strings has only numbers or dates in these rows, which must then become strings. */
function isTextOf({ type }: EncodedColumn, found: DecodedRows["columns"][number] | undefined) {
  return type === "hierarchy" && found !== undefined && found.column.type !== type;
}

/** Returns the values of a column; undefined if a cell does not have the type of the column. */
function fitted(
  { rowCount, columns }: DecodedRows,
  { type, position, form }: EncodedColumn,
): BatchColumn | undefined {
  const found = columns[position];
  if (!found) return undefined;
  const { column, isEmpty } = found;
  if (column.type === type) return column;
  if (type === "hierarchy") return undefined;
  if (isEmpty) return { type, values: new Float64Array(rowCount).fill(Number.NaN) };
  if (type === "numeric" || form === undefined) return undefined;
  const values =
    column.type === "hierarchy"
      ? datesOf(column, (text) => parseDate(text, form))
      : column.type === "numeric"
        ? column.values.map((value) => (Number.isNaN(value) ? value : parseDate(value, form)))
        : undefined;
  if (!values) return undefined;
  for (let row = 0; row < rowCount; row++)
    if (Number.isNaN(values[row]) && !isNull(column, row)) return undefined;
  return { type, values };
}

function datesOf(
  { codes, dictionary }: Extract<BatchColumn, { type: "hierarchy" }>,
  parse: (text: string) => number,
): Float64Array {
  const instants = dictionary.map(parse);
  return Float64Array.from(codes, (code) => instants[code] ?? Number.NaN);
}

function isNull(column: BatchColumn, row: number): boolean {
  return column.type === "hierarchy" ? column.codes[row] === -1 : Number.isNaN(column.values[row]);
}
