import { longestText } from "../../../plugins/meanings/index.ts";

/** Every limit of the language. Lengths are in UTF-16 units. */
export const limits = {
  /** Maximum length of a source text. */
  sourceLength: 10_000,
  /** Maximum nesting of operations, calls and parentheses. */
  depth: 100,
  /** Maximum number of values, references and operations in one expression. */
  nodeCount: 1_000,
  /**
   * Maximum length of a string that a function returns; a longer result becomes null. The protocol defines the same
   * limit.
   */
  textLength: longestText,
} as const;
