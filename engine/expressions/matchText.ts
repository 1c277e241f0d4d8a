import type { TextMatch } from "../column/texts/matchBytes.ts";

/**
 * Returns a function that tests whether a string contains, starts with or ends with `part`. The flags `iu` of a regular
 * expression ignore case by simple case folding (ECMA-262, Canonicalize).
 */
export function matchText(match: TextMatch, part: string): (text: string) => boolean {
  const escaped = RegExp.escape(part);
  const source = { contains: escaped, startsWith: `^${escaped}`, endsWith: `${escaped}$` }[match];
  const expression = new RegExp(source, "iu");
  return (text) => expression.test(text);
}
