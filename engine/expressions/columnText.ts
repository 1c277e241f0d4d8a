import type { Dictionary } from "../column/texts/dictionary.ts";
import type { BoundCode, BoundText } from "./boundValue.ts";

/** Returns a text expression with the strings of a column. JavaScript strings are created on demand. */
export function columnText(
  dictionary: Dictionary | undefined,
  textCount: number,
  code: BoundCode,
): BoundText {
  return {
    kind: "text",
    get texts() {
      return dictionary?.texts ?? [];
    },
    textCount,
    code,
    dictionary,
  };
}

/** Returns a text expression with the same strings and another code. */
export function withCode(text: BoundText, code: BoundCode): BoundText {
  return text.dictionary ? columnText(text.dictionary, text.textCount, code) : { ...text, code };
}
