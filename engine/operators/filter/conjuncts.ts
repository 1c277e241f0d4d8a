import type { BoundTest } from "../../expressions/boundValue.ts";
import { valueRange, type Range } from "../rows/storedRange.ts";

/** One of several tests that must all be true. */
export interface Conjunct {
  readonly test: BoundTest;
  /** The same test as a range. Present if the test only compares a column. */
  readonly compared?: { readonly column: number; readonly range: Range };
}

/**
 * Splits tests that must all be true into as few conjuncts as possible. Nested `and`s and negated `or`s are flattened,
 * and comparisons of the same column become one range.
 */
export function splitConjuncts(tests: readonly BoundTest[]): readonly Conjunct[] {
  const conjuncts: Conjunct[] = [];
  const places = new Map<number, number>();
  const add = (test: BoundTest): void => {
    if (test.kind === "and") {
      test.of.forEach(add);
      return;
    }
    if (test.kind === "not" && test.of.kind === "not") {
      add(test.of.of);
      return;
    }
    if (test.kind === "not" && test.of.kind === "or") {
      for (const of of test.of.of) add({ kind: "not", of });
      return;
    }
    if (test.kind !== "compare" || test.left.kind !== "column") {
      conjuncts.push({ test });
      return;
    }
    const { column } = test.left;
    const range = valueRange(test.operator, test.value);
    const place = places.get(column);
    const known = place === undefined ? undefined : conjuncts[place];
    if (place === undefined || !known?.compared) {
      places.set(column, conjuncts.length);
      conjuncts.push({ test, compared: { column, range } });
      return;
    }
    const { low, high } = known.compared.range;
    const both = { low: Math.max(low, range.low), high: Math.min(high, range.high) };
    const of = known.test.kind === "and" ? known.test.of : [known.test];
    conjuncts[place] = {
      test: { kind: "and", of: [...of, test] },
      compared: { column, range: both },
    };
  };
  tests.forEach(add);
  return conjuncts;
}
