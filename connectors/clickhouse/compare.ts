import {
  sql,
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
import { readingOf } from "./types.ts";

/*
 * Tests of a column by its own type, which a primary key, a partition or a skip index can answer. ClickHouse compares
 * whole numbers with doubles exactly, and texts by bytes.
 */

/** Below this, comparing a whole number of 64 bits with a double is the same before and after it is rounded. */
const exactBound = 2 ** 53;
/** Invalid bytes are read as this; a text without it is equal only to valid texts. */
const replacement = "\ufffd";

/** Writes a test of a column by its own type. */
export function native({ operator, right, column }: NativeTest): NativeResult | undefined {
  const found = nativeOf(column, right, operator === "=");
  return found && { ...found, test: sql`${found.expression} ${trusted(operator)} ${right}` };
}

/** Writes whether an expression is one of a list that fits into a parameter. */
export function oneOf({ left, right, column }: ValueTest): Fragment {
  const found = column && nativeOf(column, right, true);
  const test = sql`${found?.expression ?? left} in ${right}`;
  return found?.isExact === false ? sql`(${test} and ${left} in ${right})` : test;
}

/** Writes a test that lets the instants of a range pass, and maybe more. */
export function within(
  column: SqlColumn,
  fromMs: number | undefined,
  beforeMs: number | undefined,
): Fragment {
  const reading = readingOf(column.nativeType);
  // Every other type is compared by an expression that an index can answer.
  if (reading?.kind !== "ticks" || reading.precision <= 3) return trusted("1 = 1");
  // It is rounded towards 1970, so at most one millisecond up.
  const instant = milliseconds(trusted(quote(column.name)));
  const bound = (value: number): Bound => ({ kind: "cell", type: "datetime", value });
  const from = fromMs === undefined ? undefined : sql`${instant} >= ${bound(fromMs)}`;
  const before = beforeMs === undefined ? undefined : sql`${instant} <= ${bound(beforeMs)}`;
  if (from && before) return sql`(${from} and ${before})`;
  return from ?? before ?? trusted("1 = 1");
}

/**
 * Returns the column without what `readColumn` does to it, where a test of it lets the same values pass, or more
 * (`isExact` false).
 */
function nativeOf(
  { name, nativeType }: SqlColumn,
  right: Bound,
  isEquality: boolean,
): { readonly expression: Fragment; readonly isExact: boolean } | undefined {
  const values = right.kind === "list" ? right.values : [right.value];
  const expression = trusted(quote(name));
  const kind = readingOf(nativeType)?.kind;
  // Infinities and NaN are null. -0 is not in a list that has 0.
  if (kind === "float") return right.kind === "list" ? undefined : { expression, isExact: false };
  const isExact =
    kind === "whole"
      ? values.every((value) => Math.abs(Number(value)) < exactBound)
      : kind === "text" &&
        isEquality &&
        !values.some((value) => String(value).includes(replacement));
  return isExact ? { expression, isExact } : undefined;
}
