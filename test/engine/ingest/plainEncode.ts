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
  const isList = Array.isArray(parsed[0]);
  const names = columns?.map(({ name }) => name) ?? namesOf(parsed, isList);
  if (names.length === 0 && parsed.length > 0 && !columns) throw new TypeError("no column");
  const rows = parsed.map((row: unknown): readonly unknown[] => {
    if (isList !== Array.isArray(row) || typeof row !== "object" || row === null)
      throw new TypeError("rows of two kinds");
    if (Array.isArray(row)) {
      if (row.length !== names.length || row.length === 0)
        throw new TypeError("rows of two widths");
      return row;
    }
    if (Object.keys(row).some((name) => !names.includes(name)))
      throw new TypeError("no such column");
    return names.map((name) =>
      Object.hasOwn(row, name) ? (row as Record<string, unknown>)[name] : null,
    );
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

function namesOf(rows: readonly unknown[], isList: boolean): readonly string[] {
  if (isList) return (rows[0] as readonly unknown[]).map((_, index) => `column_${index + 1}`);
  return [...new Set(rows.flatMap((row) => Object.keys(row as object)))];
}
