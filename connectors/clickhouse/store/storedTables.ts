import {
  allRows,
  type SqlColumn,
  type SqlSession,
  type SqlTable,
} from "../../../plugins/sql/index.ts";
import { textParameter } from "../parameters.ts";
import { columnTypeOf, dataTypeOf } from "./columnTypes.ts";

/**
 * A column of every stored table. It contains, for each row, the id of the write that added the row. Datasets cannot
 * have a column of this name.
 */
export const writeColumn = "manifold write";

/**
 * Separator in the name of a draft table, between the dataset's id and the id of the write that fills the draft. The
 * draft later replaces the dataset's table.
 */
export const draftMark = "~";

/**
 * Start of the id of an update, which is the comment of its table. Such a table may contain deleted rows, which the
 * server's list of tables counts until it merges the parts.
 */
export const updateMark = "update-";

/**
 * Lists the tables of a store with their columns in order, without drafts. If `only` is given, returns only the table
 * of that name.
 */
export async function storedTables(
  session: SqlSession,
  signal: AbortSignal,
  database: string,
  only?: string,
): Promise<readonly SqlTable[]> {
  const values = [textParameter(database), ...(only === undefined ? [] : [textParameter(only)])];
  const columns = new Map<string, SqlColumn[]>();
  const columnsOf = { text: statements.columns(only !== undefined), values };
  for (const [table, name, type] of await allRows(session, columnsOf, signal)) {
    const list = columns.get(String(table)) ?? [];
    columns.set(String(table), list);
    const nativeType = String(type);
    if (name !== writeColumn)
      list.push({ name: String(name), nativeType, type: dataTypeOf(columnTypeOf(nativeType)) });
  }
  const tablesOf = { text: statements.tables(only !== undefined), values };
  const tables = await allRows(session, tablesOf, signal);
  return tables.map(([name, rows]) => ({
    schema: database,
    name: String(name),
    kind: "table",
    ...(rows !== null && { rows: Number(rows) }),
    columns: columns.get(String(name)) ?? [],
  }));
}

const statements = {
  columns: (isOne: boolean) => `select table, name, type from system.columns
where database = {p1:String} and ${isOne ? "table = {p2:String}" : `position(table, '${draftMark}') = 0`}
order by table, position`,
  tables: (isOne: boolean) => `select name, total_rows from system.tables
where database = {p1:String} and ${isOne ? "name = {p2:String}" : `position(name, '${draftMark}') = 0`}
order by name`,
};
