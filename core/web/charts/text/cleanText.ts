/** Characters of one text in a picture. */
const longest = 300;

/** Controls, and the marks that turn the direction of what follows: they could change how other text reads. */
const hidden = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffc]/gu;

/**
 * Returns a text as a picture shows it: one line, without controls, at most 300 characters. O(1) for a text of any
 * length.
 */
export function cleanText(given: string): string {
  const start = given.slice(0, longest + 1).toWellFormed();
  const cleaned = start.replaceAll(/[\t\n\r]+/g, " ").replaceAll(hidden, "");
  return given.length > longest ? `${cleaned.slice(0, longest - 1).toWellFormed()}…` : cleaned;
}
