import {
  cell,
  integerRange,
  list,
  sql,
  storedIntegers,
  trusted,
  type Bound,
  type Fragment,
  type NativeResult,
  type NativeTest,
  type SqlColumn,
  type ValueTest,
} from "../../plugins/sql/index.ts";
import { quote } from "./quote.ts";
import { milliseconds } from "./read.ts";
import { numberKind, readingOf } from "./types.ts";

/*
 * Tests that compare a column in its own type, so that ClickHouse can use a primary key, a partition or a skip index.
 * ClickHouse compares integers with doubles exactly, and strings by bytes.
 */

/**
 * An integer bound. Below it, rounding a 64-bit integer to a double does not change how the integer compares with a
 * double.
 */
const exactBound = 2 ** 53;
/**
 * The character that replaces invalid bytes. A string that does not contain this character can equal only strings with
 * valid bytes.
 */
const replacement = "\ufffd";

/** Returns a test that compares a column in the column's own type. */
export function native({ operator, right, column }: NativeTest): NativeResult | undefined {
  const digits = operator === "=" ? digitsTest(column, right) : undefined;
  if (digits) return { test: digits, isExact: true };
  const found = nativeOf(column, right, operator === "=");
  return found && { ...found, test: sql`${found.expression} ${trusted(operator)} ${right}` };
}

/** Returns a test for membership in a list that fits into one parameter. */
export function oneOf({ left, right, column }: ValueTest): Fragment {
  const digits = column && digitsTest(column, right);
  if (digits) return digits;
  const found = column && nativeOf(column, right, true);
  const test = sql`${found?.expression ?? left} in ${right}`;
  return found?.isExact === false ? sql`(${test} and ${left} in ${right})` : test;
}

/** Returns an equality test of a column of integers that are read as their digits; undefined for other columns. */
function digitsTest({ name, nativeType, type }: SqlColumn, right: Bound): Fragment | undefined {
  const [native, unsigned, bits] = /\b(U?)Int(8|16|32|64|128|256)\b/.exec(nativeType) ?? [];
  if (type !== "hierarchy" || native === undefined || numberKind({ nativeType }) === undefined)
    return undefined;
  const found = storedIntegers(right, integerRange(Number(bits), unsigned === "U"));
  if (found.length === 0) return trusted("1 = 0");
  const column = trusted(quote(name));
  const cast = trusted(`to${native}`);
  const [only] = found;
  if (found.length === 1 && only !== undefined)
    return sql`${column} = ${cast}(${cell("hierarchy", only)})`;
  return sql`${column} in arrayMap(x -> ${cast}(x), ${list("hierarchy", found)})`;
}

/** Returns a test that passes all instants in a range, and possibly some instants outside the range. */
export function within(
  column: SqlColumn,
  fromMs: number | undefined,
  beforeMs: number | undefined,
): Fragment {
  const reading = readingOf(column.nativeType);
  // All other types are already compared by an expression that can use an index.
  if (reading?.kind !== "ticks" || reading.precision <= 3) return trusted("1 = 1");
  // Rounding toward 1970 changes the column by less than one millisecond.
  const instant = milliseconds(trusted(quote(column.name)));
  const bound = (value: number): Bound => ({ kind: "cell", type: "datetime", value });
  const from = fromMs === undefined ? undefined : sql`${instant} >= ${bound(fromMs)}`;
  const before = beforeMs === undefined ? undefined : sql`${instant} <= ${bound(beforeMs)}`;
  if (from && before) return sql`(${from} and ${before})`;
  return from ?? before ?? trusted("1 = 1");
}

/**
 * Returns the column without the conversions of `readColumn`, if a test of the bare column passes at least the values
 * that the exact test passes. `isExact` is false if that test may also pass other values.
 */
function nativeOf(
  { name, nativeType }: SqlColumn,
  right: Bound,
  isEquality: boolean,
): { readonly expression: Fragment; readonly isExact: boolean } | undefined {
  const values = right.kind === "list" ? right.values : [right.value];
  const expression = trusted(quote(name));
  const kind = readingOf(nativeType)?.kind;
  // Infinities and NaN are read as null. A list that contains 0 does not match -0.
  if (kind === "float") return right.kind === "list" ? undefined : { expression, isExact: false };
  const isExact =
    kind === "whole"
      ? values.every((value) => Math.abs(Number(value)) < exactBound)
      : kind === "text" &&
        isEquality &&
        !values.some((value) => String(value).includes(replacement));
  return isExact ? { expression, isExact } : undefined;
}
