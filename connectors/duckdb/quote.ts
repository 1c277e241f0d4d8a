/** Quotes an identifier of DuckDB. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Writes a text as a literal, for settings and definitions of views, which take no parameters. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
