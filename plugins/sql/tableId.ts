import type { SqlTable } from "./driver.ts";

/** Matches a part of an id that needs no quotes: it contains no dot or quote, and is not empty. */
const plain = /^[^."]+$/;

/** Returns the dataset id of a table, such as `schema.table`. A part with a dot or a quote is quoted: `"a.b".c`. */
export function tableId({ schema, name }: Pick<SqlTable, "schema" | "name">): string {
  return `${part(schema)}.${part(name)}`;
}

/** Parses an id that `tableId` returned. Undefined for any other string. */
export function parseTableId(
  id: string,
): { readonly schema: string; readonly name: string } | undefined {
  const match = /^([^."]+|"(?:[^"]|"")*")\.([^."]+|"(?:[^"]|"")*")$/s.exec(id);
  if (!match) return undefined;
  return { schema: unquoted(match[1]!), name: unquoted(match[2]!) };
}

function part(text: string): string {
  return plain.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
}
