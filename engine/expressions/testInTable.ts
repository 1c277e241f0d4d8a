import type { ComparisonOperator } from "../types.ts";
import type { BoundTest, BoundValue } from "./boundValue.ts";

/** A test of one number per row. */
export type NumberTest = Extract<BoundTest, { kind: "compare" | "in" | "isNull" }>;

type Index = Pick<Extract<BoundTest, { kind: "lookupNumber" }>, "of" | "base">;
type Lookup = Extract<BoundTest, { kind: "lookupNumber" }>;

/**
 * Maximum number of entries that are tested while a plan is bound, which takes some milliseconds. Values of larger
 * tables are tested row by row.
 */
const mostTested = 2 ** 20;

/**
 * Tests the entries of a table, such as the numbers of a joined column, instead of the rows that read them. Returns
 * other tests unchanged.
 */
export function testInTable(test: NumberTest): BoundTest {
  const { left } = test;
  if ((left.kind !== "byNumber" && left.kind !== "byCode") || left.values.length > mostTested)
    return test;
  const passes = new Uint8Array(new SharedArrayBuffer(left.values.length));
  testValues(test, left.values, passes);
  if (left.kind === "byCode") return { kind: "lookup", column: left.column, passes };
  return { kind: "lookupNumber", of: left.of, base: left.base, passes };
}

/**
 * Writes 1 for each value that passes. Each test has a loop of its own, which takes a fraction of the time of a call
 * per value.
 */
function testValues(test: NumberTest, values: Float64Array, passes: Uint8Array): void {
  const { length } = values;
  switch (test.kind) {
    case "isNull":
      for (let at = 0; at < length; at++) passes[at] = values[at] === values[at] ? 0 : 1;
      return;
    case "in":
      for (let at = 0; at < length; at++) passes[at] = test.values.has(values[at]) ? 1 : 0;
      return;
    case "compare":
      compareValues[test.operator](values, test.value, passes);
  }
}

type CompareValues = (values: Float64Array, right: number, passes: Uint8Array) => void;

/** Comparisons are false for NaN. */
const compareValues: Readonly<Record<ComparisonOperator, CompareValues>> = {
  "=": (values, right, passes) => {
    for (let at = 0; at < values.length; at++) passes[at] = values[at] === right ? 1 : 0;
  },
  "<": (values, right, passes) => {
    for (let at = 0; at < values.length; at++) passes[at] = values[at] < right ? 1 : 0;
  },
  "<=": (values, right, passes) => {
    for (let at = 0; at < values.length; at++) passes[at] = values[at] <= right ? 1 : 0;
  },
  ">": (values, right, passes) => {
    for (let at = 0; at < values.length; at++) passes[at] = values[at] > right ? 1 : 0;
  },
  ">=": (values, right, passes) => {
    for (let at = 0; at < values.length; at++) passes[at] = values[at] >= right ? 1 : 0;
  },
};

/** Combines tests, of which all or one must pass. Lookups of the same number become one lookup. */
export function joinLookups(kind: "and" | "or", tests: readonly BoundTest[]): BoundTest {
  const joined: BoundTest[] = [];
  for (const test of tests) {
    const place =
      test.kind === "lookupNumber"
        ? joined.findIndex((each) => each.kind === "lookupNumber" && readSame(each, test))
        : -1;
    const known = joined[place];
    if (test.kind !== "lookupNumber" || known?.kind !== "lookupNumber") {
      joined.push(test);
      continue;
    }
    const passes = new Uint8Array(new SharedArrayBuffer(test.passes.length));
    joinPasses(kind, known.passes, test.passes, passes);
    joined[place] = { ...test, passes };
  }
  return joined.length === 1 ? joined[0] : { kind, of: joined };
}

function joinPasses(
  kind: "and" | "or",
  one: Uint8Array,
  other: Uint8Array,
  passes: Uint8Array,
): void {
  if (kind === "and") for (let at = 0; at < passes.length; at++) passes[at] = one[at] & other[at];
  else for (let at = 0; at < passes.length; at++) passes[at] = one[at] | other[at];
}

/** Returns whether two lookups read the same entry in every row. */
const readSame = (one: Lookup, other: Lookup): boolean =>
  one.passes.length === other.passes.length && isSameIndex(one, other);

/** Returns whether two tables of the same length, which are read by number, read the same entry in every row. */
export const isSameIndex = (one: Index, other: Index): boolean =>
  one.base === other.base && isSameKey(one.of, other.of);

function isSameKey(one: BoundValue, other: BoundValue): boolean {
  if (one.kind === "column") return other.kind === "column" && one.column === other.column;
  return (
    one.kind === "rowOf" &&
    other.kind === "rowOf" &&
    one.index === other.index &&
    isSameKey(one.of, other.of)
  );
}
