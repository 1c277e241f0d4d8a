/** Quotes a DuckDB identifier. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Returns a string as a literal. Settings and view definitions need literals, because they cannot have parameters. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns the first line of a message of DuckDB. The other lines repeat the statement. */
export function firstLine({ message }: Error): string {
  return message.split("\n")[0] ?? "";
}
