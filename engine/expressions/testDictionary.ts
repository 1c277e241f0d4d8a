import type { Dictionary } from "../column/texts/dictionary.ts";
import type { Predicate, Scalar } from "../types.ts";

/** A test of one value. */
export type Leaf = Exclude<Predicate, { kind: "and" | "or" | "not" }>;

/** Listed texts that are looked up in a fraction of a millisecond. */
const valuesPerStep = 256;

/**
 * Tests the first `textCount` texts of a dictionary by their bytes: 1 for each stored code that passes. Undefined where
 * it takes strings: tests of order, other cases beyond ASCII.
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

/** The texts that pass, and null, when they are listed. */
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
