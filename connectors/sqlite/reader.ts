import { statSync } from "node:fs";
import {
  constants,
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from "node:sqlite";
import { serveReader, type ServedCall } from "../../plugins/rows/serving/index.ts";
import {
  addedFunctions,
  addFunctions,
  instantFunction,
  zonedInstantFunction,
  type ReadInstant,
  type ZoneReading,
} from "./functions.ts";
import type { RequestedFile, SqliteItem, SqliteRequest } from "./messages.ts";
import { isComputingFunction } from "./readingFunctions.ts";

// SQLite runs in a separate process, because a statement blocks its thread and Node can only stop it by ending the
// process.

/** A block of rows is sent once its values exceed this size in bytes. */
const blockBytes = 256 * 1024;

interface Opened {
  readonly file: RequestedFile;
  readonly database: DatabaseSync;
}

let opened: Opened | undefined;
let readInstant: ReadInstant | undefined;
let zoneReading: ZoneReading | undefined;

/** Pragmas that a statement may use. FTS5 and FTS4 use the last two pragmas when their tables are read. */
const allowedPragmas = [
  "table_list",
  "table_xinfo",
  "encoding",
  "schema_version",
  "data_version",
  "page_size",
];
/** Virtual tables of the engine itself. Statements can read them by name, although no database file defines them. */
const ownTables = new Set(["sqlite_dbpage", "sqlite_stmt", "bytecode", "tables_used"]);

function authorize(action: number, first: string | null, second: string | null): number {
  switch (action) {
    case constants.SQLITE_READ:
      return ownTables.has((first ?? "").toLowerCase())
        ? constants.SQLITE_DENY
        : constants.SQLITE_OK;
    case constants.SQLITE_SELECT:
    case constants.SQLITE_RECURSIVE:
    // R-trees prepare changes when they are read. Running such a change would fail, because the file is open for
    // reading only.
    case constants.SQLITE_INSERT:
    case constants.SQLITE_UPDATE:
    case constants.SQLITE_DELETE:
      return constants.SQLITE_OK;
    case constants.SQLITE_FUNCTION:
      return isComputingFunction(second ?? "") || addedFunctions.has(second ?? "")
        ? constants.SQLITE_OK
        : constants.SQLITE_DENY;
    case constants.SQLITE_PRAGMA:
      return allowedPragmas.includes(first ?? "") ? constants.SQLITE_OK : constants.SQLITE_DENY;
    default:
      return constants.SQLITE_DENY;
  }
}

function open(file: RequestedFile): DatabaseSync {
  if (opened?.file.path === file.path && opened.file.identity === file.identity)
    return opened.database;
  opened?.database.close();
  opened = undefined;
  const database = new DatabaseSync(file.path, {
    readOnly: true,
    timeout: file.lockMs,
    enableForeignKeyConstraints: false,
    limits: { attach: 0, length: file.valueBytes },
  });
  try {
    const { dev, ino } = statSync(file.path, { bigint: true });
    if (`${dev}:${ino}` !== file.identity) throw new Error("the file was replaced; try again");
    database.exec("pragma trusted_schema = off; pragma query_only = on; pragma mmap_size = 0");
    for (const { name } of database.prepare("select name from pragma_module_list").all())
      ownTables.add(String(name).toLowerCase());
    addFunctions(
      database,
      (text) => readInstant?.(text),
      (readingMs, zone) => zoneReading?.(readingMs, zone) ?? Number.NaN,
    );
    database.setAuthorizer(authorize);
  } catch (failure) {
    database.close();
    throw failure;
  }
  opened = { file, database };
  return database;
}

serveReader<SqliteRequest, SqliteItem>(async (request, call) => {
  if (request.text.includes(instantFunction))
    readInstant ??= (await import("../../plugins/protocol/index.ts")).millisecondsOf;
  if (request.text.includes(zonedInstantFunction)) {
    const { createWallClock } = await import("../../plugins/sql/index.ts");
    zoneReading ??= (readingMs, zone) => createWallClock({ zone }).instantOf(readingMs);
  }
  const statement = open(request.file).prepare(request.text);
  if (request.kind === "rows") return sendRows(statement, request.values, call);
  const columns = statement.columns().map(({ name, type }) => ({ name, declared: type }));
  return call.send({ kind: "columns", columns });
});

async function sendRows(
  statement: StatementSync,
  values: readonly SQLInputValue[],
  { send }: ServedCall<SqliteItem>,
): Promise<void> {
  statement.setReturnArrays(true);
  let rows: SQLOutputValue[][] = [];
  let sizeBytes = 0;
  for (const row of statement.iterate(...values)) {
    // With `setReturnArrays`, rows are arrays, but Node's types only describe objects.
    const cells: SQLOutputValue[] = Array.isArray(row) ? row : Object.values(row);
    rows.push(cells);
    for (const cell of cells) sizeBytes += typeof cell === "string" ? 8 + 2 * cell.length : 8;
    if (sizeBytes < blockBytes) continue;
    await send({ kind: "rows", rows });
    [rows, sizeBytes] = [[], 0];
  }
  if (rows.length > 0) await send({ kind: "rows", rows });
}
