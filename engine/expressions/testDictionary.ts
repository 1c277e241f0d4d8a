import type { Dictionary } from "../column/texts/dictionary.ts";
import type { Predicate, Scalar } from "../types.ts";

/** A predicate on a single value. */
export type Leaf = Exclude<Predicate, { kind: "and" | "or" | "not" }>;

/** Number of listed strings that can be looked up in a fraction of a millisecond. */
const valuesPerStep = 256;

/**
 * Tests the first `textCount` strings of a dictionary by their bytes. The result is 1 for each stored code that passes.
 * Returns undefined if JavaScript strings are needed: for comparisons by order, and for non-ASCII letter case.
 */
export function* testDictionary(
  leaf: Leaf,
  dictionary: Dictionary,
  textCount: number,
): Generator<undefined, Uint8Array | undefined> {
  if (leaf.kind === "match") return dictionary.match(textCount, leaf.match, leaf.text);
  const values = equalTo(leaf);
  if (!values) return undefined;
  const passes = new Uint8Array(new SharedArrayBuffer(textCount + 1));
  for (const [index, value] of values.entries()) {
    const code = typeof value === "string" ? dictionary.codeOf(value) : -1;
    if (code !== undefined && code < textCount) passes[code + 1] = 1;
    if (index % valuesPerStep === valuesPerStep - 1) yield;
  }
  return passes;
}

/**
 * Returns the strings that pass, and null if null passes, for a predicate that lists the values that pass. Returns
 * undefined for other predicates.
 */
function equalTo(leaf: Leaf): readonly Scalar[] | undefined {
  switch (leaf.kind) {
    case "in":
      return leaf.values;
    case "isNull":
      return [null];
    case "compare":
      return leaf.operator === "=" ? [leaf.value] : undefined;
    case "match":
      return undefined;
  }
}
