/** Quotes a DuckDB identifier. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Returns a string as a literal, for settings and view definitions, which cannot have parameters. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
