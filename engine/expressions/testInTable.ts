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
  const { values } = left;
  const passes = new Uint8Array(new SharedArrayBuffer(values.length));
  const passesOne = testOfOne(test);
  for (let index = 0; index < values.length; index++)
    passes[index] = passesOne(values[index]) ? 1 : 0;
  if (left.kind === "byCode") return { kind: "lookup", column: left.column, passes };
  return { kind: "lookupNumber", of: left.of, base: left.base, passes };
}

/** Returns a function that tests one number. It returns false for NaN if the test is a comparison. */
function testOfOne(test: NumberTest): (value: number) => boolean {
  switch (test.kind) {
    case "isNull":
      return (value) => value !== value;
    case "in": {
      const { values } = test;
      return (value) => values.has(value);
    }
    case "compare":
      return comparisonWith(test.operator, test.value);
  }
}

function comparisonWith(operator: ComparisonOperator, right: number): (value: number) => boolean {
  switch (operator) {
    case "=":
      return (value) => value === right;
    case "<":
      return (value) => value < right;
    case "<=":
      return (value) => value <= right;
    case ">":
      return (value) => value > right;
    case ">=":
      return (value) => value >= right;
  }
}

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
    for (let index = 0; index < passes.length; index++)
      passes[index] =
        kind === "and"
          ? known.passes[index] & test.passes[index]
          : known.passes[index] | test.passes[index];
    joined[place] = { ...test, passes };
  }
  return joined.length === 1 ? joined[0] : { kind, of: joined };
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
