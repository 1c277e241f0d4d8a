import { availableParallelism } from "node:os";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { DataFile, Source } from "./findDataFiles.ts";
import type { Duckdb } from "./loadDuckdb.ts";
import { firstLine, literal, quote } from "./quote.ts";

const memoryLimit = "1GiB";
const spillLimit = "16GiB";

/**
 * Opens an engine on a database file, or an engine that has one view per file of rows. Then locks the engine: it cannot
 * access other files, the network or extensions, nor change settings. Queries that need more than 1 GiB of memory spill
 * into `scratch`. In a folder, the view of a file that DuckDB cannot read fails with the reason, which is also its
 * comment.
 * @throws DuckDB's error for a database, or for a single file, that it cannot read
 */
export async function openSource(
  { DuckDBInstance }: Duckdb,
  source: Source,
  scratch: string,
): Promise<DuckDBInstance> {
  let instance: DuckDBInstance | undefined;
  try {
    instance =
      source.kind === "database"
        ? await DuckDBInstance.create(source.path, { access_mode: "READ_ONLY" })
        : await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    try {
      await lock(connection, source, scratch);
    } finally {
      connection.closeSync();
    }
  } catch (failure) {
    instance?.closeSync();
    throw failure;
  }
  return instance;
}

async function lock(connection: DuckDBConnection, source: Source, scratch: string): Promise<void> {
  const paths = source.kind === "files" ? source.files.map(({ path }) => literal(path)) : [];
  const settings: readonly (readonly [name: string, value: string])[] = [
    ["threads", String(Math.min(4, availableParallelism()))],
    ["memory_limit", literal(memoryLimit)],
    ["max_temp_directory_size", literal(spillLimit)],
    ["temp_directory", literal(scratch)],
    ["home_directory", literal(scratch)],
    ["secret_directory", literal(scratch)],
    ["extension_directory", literal(scratch)],
    ["global TimeZone", literal("UTC")],
    ["autoinstall_known_extensions", "false"],
    ["autoload_known_extensions", "false"],
    ["allow_community_extensions", "false"],
    // The engine must not cache the file, because it must read a changed file again.
    ["enable_external_file_cache", "false"],
    ["allowed_paths", `[${paths.join(", ")}]`],
    ["enable_external_access", "false"],
  ];
  for (const [name, value] of settings) await connection.run(`set ${name} = ${value}`);
  if (source.kind === "files") await createViews(connection, source.files);
  await connection.run("set lock_configuration = true");
}

async function createViews(
  connection: DuckDBConnection,
  files: readonly DataFile[],
): Promise<void> {
  for (const schema of new Set(files.map((file) => file.schema)))
    await connection.run(`create schema if not exists ${quote(schema)}`);
  for (const file of files) {
    const view = `${quote(file.schema)}.${quote(file.name)}`;
    try {
      const rows = await rowsOf(connection, file);
      await connection.run(`create view ${view} as from ${rows}`);
    } catch (failure) {
      if (files.length === 1 || !(failure instanceof Error)) throw failure;
      const reason = literal(firstLine(failure).replaceAll(file.path, file.name));
      await connection.run(
        `create or replace view ${view} as select error(${reason}) as unreadable`,
      );
      await connection.run(`comment on view ${view} is ${reason}`);
    }
  }
}

/**
 * Returns the function call that reads a file. Types of CSV and JSON columns are detected once, from all rows, and
 * stored in the view.
 */
async function rowsOf(connection: DuckDBConnection, { path, format }: DataFile): Promise<string> {
  const file = literal(path);
  switch (format) {
    case "parquet":
      return `read_parquet(${file})`;
    case "json":
      return `read_json(${file}, sample_size = -1, columns = ${await columnsOfJson(connection, file)})`;
    case "csv":
      return `read_csv(${file}, auto_detect = false, ${await optionsOfCsv(connection, file)})`;
  }
}

async function columnsOfJson(connection: DuckDBConnection, file: string): Promise<string> {
  const reader = await connection.runAndReadAll(
    `describe from read_json(${file}, sample_size = -1)`,
  );
  const columns = reader.getRows().map(([name, type]) => [String(name), String(type)] as const);
  return structOf(columns);
}

async function optionsOfCsv(connection: DuckDBConnection, file: string): Promise<string> {
  const sniffed = await connection.runAndReadAll(
    "select Delimiter, Quote, Escape, NewLineDelimiter, Comment, SkipRows::varchar, HasHeader::varchar, " +
      "DateFormat, TimestampFormat, to_json([c.name for c in Columns])::varchar, " +
      `to_json([c.type for c in Columns])::varchar from sniff_csv(${file}, sample_size = -1)`,
  );
  const cells = sniffed.getRows()[0] ?? [];
  const [delimiter, quoted, escape, newLine, comment, skip, header, date, timestamp, names, types] =
    cells.map((cell) => (cell === null ? undefined : String(cell)));
  const texts = (json: string | undefined): readonly string[] => JSON.parse(json ?? "[]");
  const typesOfColumns = texts(types);
  const columns = texts(names).map(
    (name, index) => [name, typesOfColumns[index] ?? "VARCHAR"] as const,
  );
  const options: readonly (readonly [name: string, text: string | undefined])[] = [
    ["delim", delimiter],
    ["quote", quoted],
    ["escape", escape],
    ["new_line", newLine],
    ["comment", comment],
    ["dateformat", date],
    ["timestampformat", timestamp],
  ];
  return [
    ...options.flatMap(([name, text]) =>
      text === undefined ? [] : [`${name} = ${literal(text === "(empty)" ? "" : text)}`],
    ),
    `skip = ${Number(skip ?? 0)}`,
    `header = ${header === "true"}`,
    `columns = ${structOf(columns)}`,
  ].join(", ");
}

function structOf(columns: readonly (readonly [name: string, type: string])[]): string {
  return `{${columns.map(([name, type]) => `${literal(name)}: ${literal(type)}`).join(", ")}}`;
}
