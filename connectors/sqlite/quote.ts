/** Quotes an identifier of SQLite. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
