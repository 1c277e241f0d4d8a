/**
 * Returns whether a string is a single e-mail address that can be put into a message header: without white space, line
 * breaks, lists, names and comments.
 */
export function isMailAddress(text: string): boolean {
  return /^[^\s@<>,;:"]{1,64}@[^\s@<>,;:"]{1,255}$/.test(text);
}
