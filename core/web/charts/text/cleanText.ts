/** Maximum number of characters of a string in a picture. */
const longest = 300;

/** Control characters and bidirectional marks, which could change how the surrounding text reads. */
const hidden = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffc]/gu;

/**
 * Returns a string as pictures show it: one line, without control characters, at most 300 characters. O(1) for strings
 * of any length.
 */
export function cleanText(given: string): string {
  const start = given.slice(0, longest + 1).toWellFormed();
  const cleaned = start.replaceAll(/[\t\n\r]+/g, " ").replaceAll(hidden, "");
  return given.length > longest ? `${cleaned.slice(0, longest - 1).toWellFormed()}…` : cleaned;
}
