import { decodeCodes, decodeNumbers } from "../column/segment/decodeSegment.ts";
import type { Dictionary } from "../column/texts/dictionary.ts";
import type { Memory } from "../memory/memory.ts";
import { segmentsOf } from "../table/readColumn.ts";
import type { ColumnSnapshot } from "../table/snapshot.ts";
import type { ColumnDefinition } from "../types.ts";

/**
 * A column of the rows that a join can match. Lookup tables that are computed from it are cached by this object; its
 * decoded values are not, because the tables replace them.
 */
export interface JoinedColumn {
  readonly definition: ColumnDefinition;
  /** Whether the column contains all rows of its table, and not only the rows that pass a filter. */
  readonly isWhole: boolean;
  readonly dictionary: Dictionary | undefined;
  readonly textCount: number;
  /** Returns the stored codes of a text column, one per row; 0 is null. */
  readonly codes: () => ArrayLike<number>;
  /** Returns the numbers or datetimes, one per row; NaN is null. */
  readonly numbers: () => Float64Array;
}

const wholeColumns = new WeakMap<ColumnSnapshot, JoinedColumn>();

/** Returns a column with all rows of its table. The same version of a column always returns the same object. */
export function wholeColumn(column: ColumnSnapshot, memory: Memory): JoinedColumn {
  const known = wholeColumns.get(column);
  if (known) return known;
  const made: JoinedColumn = {
    definition: column.definition,
    isWhole: true,
    dictionary: column.dictionary,
    textCount: column.textCount,
    codes: () =>
      concatenate(
        segmentsOf(memory, column).map((segment) => decodeCodes(memory, segment)),
        (length) => new Int32Array(length),
      ),
    numbers: () =>
      concatenate(
        segmentsOf(memory, column).map((segment) => decodeNumbers(memory, segment)),
        (length) => new Float64Array(length),
      ),
  };
  wholeColumns.set(column, made);
  return made;
}

/** Returns a column with the values that a query has returned: stored codes or numbers, one per row. */
export function answeredColumn(column: ColumnSnapshot, answer: Float64Array): JoinedColumn {
  const isText = column.definition.type === "text";
  return {
    definition: column.definition,
    isWhole: false,
    dictionary: column.dictionary,
    textCount: column.textCount,
    codes: () => (isText ? answer : []),
    numbers: () => (isText ? new Float64Array() : answer),
  };
}

function concatenate<Values extends Int32Array | Float64Array>(
  parts: readonly Values[],
  allocate: (length: number) => Values,
): Values {
  const joined = allocate(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
