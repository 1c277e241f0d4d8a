import { longestText } from "../../../plugins/meanings/index.ts";

/** Every bound of the language. Lengths are UTF-16 units. */
export const limits = {
  /** The longest source text. */
  sourceLength: 10_000,
  /** Levels of operations, calls and parentheses inside one another. */
  depth: 100,
  /** Values, references and operations of one expression. */
  nodeCount: 1_000,
  /** The longest text that a function makes; beyond it the result is null. The protocol names the same limit. */
  textLength: longestText,
} as const;
