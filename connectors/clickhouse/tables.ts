import {
  allRows,
  type SqlColumn,
  type SqlSession,
  type SqlTable,
  type Statement,
} from "../../plugins/sql/index.ts";
import { textParameter } from "./parameters.ts";
import { readingOf, typeOf } from "./types.ts";

/** The server's own databases. */
const ownDatabases = ["system", "INFORMATION_SCHEMA", "information_schema"];
/** Engines whose rows are consumed when they are read, and engines that cannot be read. */
const streams = ["Kafka", "RabbitMQ", "NATS", "FileLog", "S3Queue", "AzureQueue", "Null"];
/** Engines whose rows are stored in another system. */
const foreign = [
  "MySQL",
  "PostgreSQL",
  "MaterializedPostgreSQL",
  "MongoDB",
  "Redis",
  "SQLite",
  "ODBC",
  "JDBC",
  "HDFS",
  "S3",
  "AzureBlobStorage",
  "URL",
  "File",
  "Iceberg",
  "DeltaLake",
  "Hudi",
  "Hive",
  "YTsaurus",
  "ArrowFlight",
];

export interface TablesOptions {
  /**
   * The only database whose tables to list. If absent, the tables of all databases except the server's own are listed.
   */
  readonly database?: string | undefined;
  readonly only?: { readonly schema: string; readonly name: string } | undefined;
}

/** Lists the tables from which a user may select, with the columns that the user may read. */
export async function listTables(
  session: SqlSession,
  signal: AbortSignal,
  options: TablesOptions,
): Promise<readonly SqlTable[]> {
  const columns = new Map<string, SqlColumn[]>();
  for (const [database, table, name, nativeType] of await allRows(
    session,
    columnsOf(options),
    signal,
  )) {
    const key = JSON.stringify([database, table]);
    const reading = readingOf(String(nativeType));
    const list = columns.get(key) ?? [];
    columns.set(key, list);
    if (reading)
      list.push({ name: String(name), nativeType: String(nativeType), ...typeOf(reading) });
  }
  const tables = await allRows(session, tablesOf(options), signal);
  return tables.map(([database, name, engine, comment, rows, parameters]) => {
    const found = columns.get(JSON.stringify([database, name])) ?? [];
    const hasParameters = found.length === 0 && String(parameters) !== "";
    return {
      schema: String(database),
      name: String(name),
      kind: kindOf(String(engine)),
      ...(typeof comment === "string" && comment !== "" && { description: comment }),
      ...(rows !== null && { rows: Number(rows) }),
      ...(hasParameters && { notes: [parametersNote(String(name), String(parameters))] }),
      columns: found,
    };
  });
}

function parametersNote(name: string, parameters: string): string {
  const values = parameters.split(",").map((each) => `${each} = …`);
  return (
    `the view has parameters (${parameters}), and a dataset cannot set them; ` +
    `create a view that sets them, such as create view … as select * from ${name}(${values.join(", ")})`
  );
}

function kindOf(engine: string): SqlTable["kind"] {
  if (engine === "View" || engine === "LiveView" || engine === "WindowView") return "view";
  if (engine === "MaterializedView") return "materialized view";
  return foreign.includes(engine) ? "foreign table" : "table";
}

function tablesOf(options: TablesOptions): Statement {
  const { text, values } = conditionsOf(options, "name");
  // A materialized view stores its rows in an inner table that is named after the view.
  return {
    text: `select database, name, engine, comment, total_rows,
if(engine = 'View', arrayStringConcat(arrayDistinct(extractAll(as_select, '\\{\\s*(\\w+)\\s*:')), ','), '')
from system.tables
where ${text} and not is_temporary and not startsWith(name, '.inner.') and not startsWith(name, '.inner_id.')
and engine not in {p${values.length + 1}:Array(String)} order by database, name`,
    values: [...values, listOf(streams)],
  };
}

function columnsOf(options: TablesOptions): Statement {
  const { text, values } = conditionsOf(options, "table");
  // An ephemeral column has a value only while a row is inserted.
  return {
    text: `select database, table, name, type from system.columns
where ${text} and default_kind != 'EPHEMERAL' order by database, table, position`,
    values,
  };
}

function conditionsOf(
  { database, only }: TablesOptions,
  nameColumn: "name" | "table",
): { readonly text: string; readonly values: readonly string[] } {
  const conditions = ["database not in {p1:Array(String)}"];
  const values = [listOf(ownDatabases)];
  const add = (column: string, value: string) => {
    values.push(textParameter(value));
    conditions.push(`${column} = {p${values.length}:String}`);
  };
  if (database !== undefined) add("database", database);
  if (only) {
    add("database", only.schema);
    add(nameColumn, only.name);
  }
  return { text: conditions.join(" and "), values };
}

function listOf(texts: readonly string[]): string {
  return `[${texts.map((text) => `'${textParameter(text)}'`).join(",")}]`;
}
