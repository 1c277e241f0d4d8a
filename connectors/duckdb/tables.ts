import {
  allRows,
  type SqlColumn,
  type SqlSession,
  type SqlTable,
} from "../../plugins/sql/index.ts";
import { ReaderFailure } from "../../plugins/rows/index.ts";
import { firstLine, quote } from "./quote.ts";
import { typedColumn } from "./types.ts";

/** A table or view of the catalog. */
interface Found extends Omit<SqlTable, "columns" | "notes"> {
  readonly columns: SqlColumn[];
  readonly notes: string[];
}

/** Maximum number of views that one statement describes. */
const describedViews = 100;

/**
 * Lists the tables and views of a source with their columns. A view or file that DuckDB cannot read is listed without
 * columns and with the reason.
 */
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
  const isDatabase = await isDatabaseFile(session, signal);
  for (const [schema, name, kind, rows, comment] of found) {
    const isUnreadable = !isDatabase && typeof comment === "string";
    tables.set(key(schema, name), {
      schema: String(schema),
      name: String(name),
      kind: kind === "view" ? "view" : "table",
      columns: [],
      notes: isUnreadable ? [`DuckDB cannot read the file: ${comment}`] : [],
      ...(typeof comment === "string" && !isUnreadable && { description: comment }),
      ...(typeof rows === "number" ? { rows } : {}),
    });
  }
  const columns = await read(
    "select schema_name, table_name, column_name, data_type from duckdb_columns() " +
      `where ${where("table_name")} order by schema_name, table_name, column_index`,
  );
  const add = (table: Found | undefined, name: unknown, type: unknown) =>
    table?.columns.push(typedColumn(String(name), String(type), hasCollations));
  // Of a view in a file, the catalog knows only the columns that it had when it was created.
  const isDescribed = ({ kind, notes }: Found) =>
    (isDatabase && kind === "view") || notes.length > 0;
  for (const [schema, name, column, type] of columns) {
    const table = tables.get(key(schema, name));
    if (table && !isDescribed(table)) add(table, column, type);
  }
  const views = [...tables.values()].filter(({ kind }) => isDatabase && kind === "view");
  for (let start = 0; start < views.length; start += describedViews)
    await describeViews(views.slice(start, start + describedViews), session, {
      signal,
      add,
    });
  return [...tables.values()].map(({ notes, ...table }) =>
    notes.length > 0 ? { ...table, notes } : table,
  );
}

/** Adds the columns of views. If DuckDB refuses one of several views, describes each of them on its own. */
async function describeViews(
  views: readonly Found[],
  session: SqlSession,
  {
    signal,
    add,
  }: {
    readonly signal: AbortSignal;
    readonly add: (view: Found | undefined, name: unknown, type: unknown) => void;
  },
): Promise<void> {
  const described = views.map(
    ({ schema, name }, index) =>
      `select ${index}, column_name, column_type from (describe select * from ${quote(schema)}.${quote(name)})`,
  );
  try {
    const columns = await allRows(session, { text: described.join(" union all ") }, signal);
    for (const [index, name, type] of columns) add(views[Number(index)], name, type);
  } catch (failure) {
    if (!(failure instanceof ReaderFailure)) throw failure;
    const [view] = views;
    if (views.length > 1)
      for (const each of views) await describeViews([each], session, { signal, add });
    else
      view?.notes.push(
        `DuckDB cannot read the view: ${firstLine(failure)}; correct its definition`,
      );
  }
}

/** Returns whether the source is a database; otherwise the connector has created a view for each of its files. */
async function isDatabaseFile(session: SqlSession, signal: AbortSignal): Promise<boolean> {
  const text =
    "select path is not null from duckdb_databases() where database_name = current_database()";
  const [row] = await allRows(session, { text }, signal);
  return row?.[0] === true;
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
