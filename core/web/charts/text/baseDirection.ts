/** The first character with a direction of its own: a letter or a mark of direction. */
const strong = /[\u061c\u200e\u200f]|\p{L}/u;

/** Marks of direction and letters of scripts that are written from right to left. */
const fromTheRight =
  /[\u061c\u200f\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns the direction of a line of text: that of its first letter. Pictures state it for every line, so that the page
 * around them and the other words of a line have no influence.
 */
export function baseDirection(text: string): "ltr" | "rtl" {
  const [first = ""] = strong.exec(text) ?? [];
  return fromTheRight.test(first) ? "rtl" : "ltr";
}
