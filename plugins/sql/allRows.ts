import type { SqlSession, Statement } from "./driver.ts";

/** Returns all rows of a statement whose result is small, such as a statement that reads the database's catalog. */
export async function allRows(
  session: Pick<SqlSession, "rows">,
  { text, values = [] }: Pick<Statement, "text"> & Partial<Statement>,
  signal: AbortSignal,
): Promise<readonly (readonly unknown[])[]> {
  const found: (readonly unknown[])[] = [];
  for await (const rows of session.rows({ text, values }, signal)) found.push(...rows);
  return found;
}
