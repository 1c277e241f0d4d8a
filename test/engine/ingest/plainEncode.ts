import { detectType, type DetectedType } from "../../../core/sources/data/detectType.ts";
import { encodeRows } from "../../../core/sources/data/encodeRows.ts";
import { decodeTexts } from "../../../engine/column/texts/decodeTexts.ts";
import type { EncodedBatch } from "../../../engine/column/encodedBatch.ts";
import type { DataType, Scalar } from "../../../engine/index.ts";

/** A column of a batch in its simplest form, as a list of cells. */
export interface PlainColumn {
  readonly name: string;
  readonly type: DataType;
  readonly isDate: boolean;
  readonly cells: readonly Scalar[];
  readonly dictionary?: readonly string[];
}

const typeOf = { numeric: "number", datetime: "datetime", hierarchy: "text" } as const;
const coreTypeOf = { number: "numeric", datetime: "datetime", text: "hierarchy" } as const;

/**
 * Encodes JSON like `encodeJson`, but slowly: with JSON.parse, followed by the type detection and the encoding of
 * pushes. Throws if a push would be rejected.
 */
export function plainEncode(
  text: string,
  columns?: readonly { readonly name: string; readonly type: DataType }[],
): readonly PlainColumn[] {
  const parsed = JSON.parse(text) as readonly unknown[];
  if (!Array.isArray(parsed)) throw new TypeError("no list of rows");
  const [first] = parsed;
  const names =
    columns?.map(({ name }) => name) ??
    (Array.isArray(first) ? first.map((_, index) => `column_${index + 1}`) : []);
  const rows = parsed.map((row: unknown): readonly unknown[] => {
    if (!Array.isArray(row)) throw new TypeError("a row is no list");
    if (row.length !== names.length || row.length === 0) throw new TypeError("rows of two widths");
    return row;
  });
  return names.map((name, position): PlainColumn => {
    const found = columns
      ? { type: coreTypeOf[columns[position].type], subtype: undefined }
      : isoTypeOf(rows, position);
    const [column] = encodeRows(rows, [{ type: found.type, position, name }]);
    if (!column) throw new TypeError("no column");
    const type = typeOf[column.type];
    if (column.type !== "hierarchy")
      return {
        name,
        type,
        isDate: found.subtype === "date",
        cells: Array.from(column.values, (value) => (Number.isNaN(value) ? null : value)),
      };
    const { dictionary } = column;
    const cells = Array.from(column.codes, (code) => (code < 0 ? null : dictionary[code]));
    return { name, type, isDate: false, cells, dictionary };
  });
}

/** Returns the type of a column in a file. Only ISO dates are datetimes there; other date formats are strings. */
function isoTypeOf(rows: readonly (readonly unknown[])[], position: number): DetectedType {
  const detected = detectType(rows, position);
  return detected.order === undefined ? detected : { type: "hierarchy", subtype: undefined };
}

/** Returns the columns of an encoded batch as lists of cells. */
export function plainColumns({ rowCount, columns }: EncodedBatch): readonly PlainColumn[] {
  return columns.map(({ name, isDate, column }): PlainColumn => {
    const length = column.type === "text" ? column.codes.length : column.values.length;
    if (length !== rowCount) throw new Error(`${name} has ${length} rows of ${rowCount}`);
    if (column.type !== "text") {
      const cells = Array.from(column.values, (value) => (Number.isNaN(value) ? null : value));
      return { name, type: column.type, isDate, cells };
    }
    const dictionary = decodeTexts(column.texts);
    const cells = Array.from(column.codes, (code) => (code < 0 ? null : dictionary[code]));
    return { name, type: "text", isDate, cells, dictionary };
  });
}
