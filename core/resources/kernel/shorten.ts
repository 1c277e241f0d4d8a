/** Shortens a name that a caller sent, so that it fits into a message. */
export function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
