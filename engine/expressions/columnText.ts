import type { Dictionary } from "../column/texts/dictionary.ts";
import type { BoundCode, BoundText } from "./boundValue.ts";

/** A text with the texts of a column; strings are made on demand. */
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

/** Returns the same texts under other codes. */
export function withCode(text: BoundText, code: BoundCode): BoundText {
  return text.dictionary ? columnText(text.dictionary, text.textCount, code) : { ...text, code };
}
