import {
  allRows,
  type SqlColumn,
  type SqlSession,
  type SqlTable,
} from "../../plugins/sql/index.ts";
import { typedColumn } from "./types.ts";

type Found = Omit<SqlTable, "columns"> & { readonly columns: SqlColumn[] };

/** Lists the tables and views of a source with their columns. */
export async function listTables(
  session: SqlSession,
  signal: AbortSignal,
  only?: { readonly schema: string; readonly name: string },
): Promise<readonly SqlTable[]> {
  const where = (table: string) =>
    "not internal and database_name = current_database()" +
    (only ? ` and schema_name = $1::varchar and ${table} = $2::varchar` : "");
  const values = only ? [only.schema, only.name] : [];
  const hasCollations = await mayHaveCollations(session, signal);
  const tables = new Map<string, Found>();
  const key = (schema: unknown, name: unknown) => JSON.stringify([schema, name]);
  const read = (text: string) => allRows(session, { text, values }, signal);
  const found = await read(
    "select schema_name, table_name, 'table', estimated_size::double, comment from duckdb_tables() " +
      `where ${where("table_name")} union all ` +
      "select schema_name, view_name, 'view', null, comment from duckdb_views() " +
      `where ${where("view_name")} order by 1, 2`,
  );
  for (const [schema, name, kind, rows, comment] of found)
    tables.set(key(schema, name), {
      schema: String(schema),
      name: String(name),
      kind: kind === "view" ? "view" : "table",
      columns: [],
      ...(typeof comment === "string" ? { description: comment } : {}),
      ...(typeof rows === "number" ? { rows } : {}),
    });
  const columns = await read(
    "select schema_name, table_name, column_name, data_type from duckdb_columns() " +
      `where ${where("table_name")} order by schema_name, table_name, column_index`,
  );
  for (const [schema, table, name, type] of columns)
    tables
      .get(key(schema, table))
      ?.columns.push(typedColumn(String(name), String(type), hasCollations));
  return [...tables.values()];
}

/** Describes a statement without running it. */
export async function describeStatement(
  session: SqlSession,
  text: string,
  signal: AbortSignal,
  values: readonly unknown[],
): Promise<readonly SqlColumn[]> {
  const hasCollations = await mayHaveCollations(session, signal);
  const described = `select column_name, column_type from (describe select * from (${text}))`;
  const columns = await allRows(session, { text: described, values }, signal);
  return columns.map(([name, type]) => typedColumn(String(name), String(type), hasCollations));
}

/**
 * Returns whether columns of a source may have collations. DuckDB shows a column's collation only in the definition of
 * its table, and views inherit it.
 */
async function mayHaveCollations(session: SqlSession, signal: AbortSignal): Promise<boolean> {
  const text =
    "select exists (select 1 from duckdb_tables() where contains(lower(sql), 'collate')) or " +
    "exists (select 1 from duckdb_views() where contains(lower(sql), 'collate') and not internal)";
  const [row] = await allRows(session, { text }, signal);
  return row?.[0] === true;
}
