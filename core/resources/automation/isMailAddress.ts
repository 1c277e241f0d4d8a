/**
 * Returns whether a string is a single e-mail address that is safe in a message header. It may not contain white space,
 * line breaks, lists, names or comments.
 */
export function isMailAddress(text: string): boolean {
  return /^[^\s@<>,;:"]{1,64}@[^\s@<>,;:"]{1,255}$/.test(text);
}
