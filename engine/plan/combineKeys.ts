import { EngineError } from "../errors.ts";
import type { BoundColumnValue } from "../expressions/bindExpression.ts";
import type { BoundValue } from "../expressions/boundValue.ts";
import type { JoinedColumn } from "./joinedColumn.ts";

/** A column of a join's key, and the value that must equal it. */
export interface KeyPair {
  readonly left: BoundColumnValue;
  readonly key: JoinedColumn;
}

/** The distinct values of a key's column, numbered from 0. */
export interface NumberedKey {
  readonly column: JoinedColumn;
  readonly count: number;
  /** The number of each row's value; NaN for null. */
  readonly rows: Float64Array;
  /** The distinct values by number. Undefined for strings, whose numbers are their stored codes minus 1. */
  readonly values: JoinedColumn | undefined;
}

/** Returns the number of a value among the distinct values of a column; null if the column does not contain it. */
export type NumberOf = (left: BoundColumnValue, key: NumberedKey) => BoundValue;

/** The largest number of combinations whose numbers are exact doubles. */
const mostCombinations = 2 ** 53;

/**
 * Replaces a key of several columns by one column of numbers. Equal numbers mean equal values in all columns, and null
 * in one of the columns makes the number null. The joined columns are numbered once per version. O(joined rows) per
 * column.
 * @throws {EngineError} QUERY_PLAN if there are too many combinations of values
 */
export function combineKeys(
  first: KeyPair,
  others: readonly KeyPair[],
  numberOf: NumberOf,
): KeyPair {
  return others.reduce((before, pair): KeyPair => {
    const [high, low] = [numbered(before.key), numbered(pair.key)];
    if (high.count * low.count > mostCombinations)
      throw new EngineError("QUERY_PLAN", [
        `the key ${nameOf(high.column)}, ${nameOf(low.column)} has too many combinations of values`,
      ]);
    const stride: BoundValue = { kind: "literal", value: low.count };
    const scaled = call("multiply", numberOf(before.left, high), stride);
    return {
      left: { type: "number", of: call("add", scaled, numberOf(pair.left, low)) },
      key: combined(high, low),
    };
  }, first);
}

const call = (name: "add" | "multiply", left: BoundValue, right: BoundValue): BoundValue => ({
  kind: "call",
  function: name,
  of: [left, right],
});

const nameOf = ({ definition }: JoinedColumn) => definition.name;

const numberedKeys = new WeakMap<JoinedColumn, NumberedKey>();

function numbered(column: JoinedColumn): NumberedKey {
  const known = numberedKeys.get(column);
  if (known) return known;
  const made = column.definition.type === "text" ? numberedTexts(column) : numberedValues(column);
  numberedKeys.set(column, made);
  return made;
}

function numberedTexts(column: JoinedColumn): NumberedKey {
  const rows = Float64Array.from(column.codes(), (code) => (code === 0 ? NaN : code - 1));
  return { column, count: column.textCount, rows, values: undefined };
}

function numberedValues(column: JoinedColumn): NumberedKey {
  const numbers = new Map<number, number>();
  const rows = column.numbers().map((value) => {
    if (value !== value) return NaN;
    const known = numbers.get(value);
    if (known !== undefined) return known;
    numbers.set(value, numbers.size);
    return numbers.size - 1;
  });
  const values = Float64Array.from(numbers.keys());
  return { column, count: numbers.size, rows, values: { ...column, numbers: () => values } };
}

const combinedKeys = new WeakMap<NumberedKey, WeakMap<NumberedKey, JoinedColumn>>();

function combined(high: NumberedKey, low: NumberedKey): JoinedColumn {
  const byLow = combinedKeys.get(high) ?? new WeakMap<NumberedKey, JoinedColumn>();
  combinedKeys.set(high, byLow);
  const known = byLow.get(low);
  if (known) return known;
  const made: JoinedColumn = {
    definition: { name: `${nameOf(high.column)}, ${nameOf(low.column)}`, type: "number" },
    isWhole: high.column.isWhole && low.column.isWhole,
    dictionary: undefined,
    textCount: 0,
    codes: () => [],
    numbers: () => high.rows.map((number, row) => number * low.count + low.rows[row]),
  };
  byLow.set(low, made);
  return made;
}
