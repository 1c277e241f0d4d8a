import type { ColumnSnapshot } from "../table/snapshot.ts";
import type { Operand } from "./bindPredicate.ts";

/** Makes a text column what a test looks at: its codes, and the texts that they stand for. */
export function textOperand(
  label: string,
  column: number,
  { dictionary, textCount }: ColumnSnapshot,
): Operand {
  return {
    kind: "text",
    label,
    column,
    texts: dictionary?.texts ?? [],
    textCount,
    codeOf: (text) => dictionary?.codeOf(text),
  };
}
