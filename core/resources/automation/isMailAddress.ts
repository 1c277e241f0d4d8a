/**
 * Returns whether a text is one e-mail address that can be put into a message's header: without blanks, line breaks,
 * lists, names and comments.
 */
export function isMailAddress(text: string): boolean {
  return /^[^\s@<>,;:"]{1,64}@[^\s@<>,;:"]{1,255}$/.test(text);
}
