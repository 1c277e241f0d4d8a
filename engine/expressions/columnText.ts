import type { Dictionary } from "../column/texts/dictionary.ts";
import type { BoundCode, BoundText } from "./boundValue.ts";
import type { ExtendedTexts } from "./extendedTexts.ts";

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

/** Returns a text expression with the strings of a dictionary and others. JavaScript strings are created on demand. */
export function extendedText(extended: ExtendedTexts, code: BoundCode): BoundText {
  return {
    kind: "text",
    get texts() {
      return extended.texts;
    },
    textCount: extended.textCount,
    code,
    extended,
  };
}

/**
 * Returns a text expression with the same strings as a given one, but with the codes of another expression for its
 * rows.
 */
export function withCode(text: BoundText, code: BoundCode): BoundText {
  if (text.dictionary) return columnText(text.dictionary, text.textCount, code);
  return text.extended ? extendedText(text.extended, code) : { ...text, code };
}
