const whiteSpace = /\p{White_Space}/u;

/** Removes Unicode white space from the start of a string. ECMAScript's own `trim` keeps U+0085 and removes U+FEFF. */
export function trimStart(text: string): string {
  let from = 0;
  while (from < text.length && whiteSpace.test(text.charAt(from))) from++;
  return text.slice(from);
}

/** Removes Unicode white space from the end of a string. */
export function trimEnd(text: string): string {
  let until = text.length;
  while (until > 0 && whiteSpace.test(text.charAt(until - 1))) until--;
  return text.slice(0, until);
}

/** Removes Unicode white space from both ends of a string. */
export function trim(text: string): string {
  return trimStart(trimEnd(text));
}
