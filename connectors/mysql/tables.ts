import { allRows, type SqlColumn, type SqlTable } from "../../plugins/sql/index.ts";
import type { DescribedColumn, MysqlSession } from "./createSession.ts";
import { readType } from "./types.ts";

const kinds: Readonly<Record<string, SqlTable["kind"]>> = {
  "BASE TABLE": "table",
  "SYSTEM VERSIONED": "table",
  VIEW: "view",
};

const outside = "('information_schema', 'mysql', 'performance_schema', 'sys')";

/**
 * Lists the tables and views from which the user may select, with all visible columns that the protocol can represent.
 * If `only` is given, lists only the table with exactly this name.
 */
export async function listTables(
  session: MysqlSession,
  signal: AbortSignal,
  only?: { readonly schema: string; readonly name: string },
): Promise<readonly SqlTable[]> {
  const { database } = session.settings;
  if (only && database !== undefined && only.schema !== database) return [];
  const schema = only?.schema ?? database;
  const values = [...(schema === undefined ? [] : [schema]), ...(only ? [only.name] : [])];
  const where = `table_schema not in ${outside}${schema === undefined ? "" : " and table_schema = ?"}${
    only ? " and table_name = ?" : ""
  }`;
  const read = async (text: string) => {
    const rows = await allRows(session, { text, values }, signal);
    return rows.map((row) => row.map(textOf));
  };
  const tables = await read(
    `select table_schema, table_name, table_type, table_rows, table_comment, create_options, auto_increment
    from information_schema.tables where ${where} order by table_schema, table_name`,
  );
  const columns = await read(
    `select table_schema, table_name, column_name, column_type, collation_name, extra
    from information_schema.columns where ${where} order by table_schema, table_name, ordinal_position`,
  );
  const columnsOf = Map.groupBy(columns, ([of, table]) => JSON.stringify([of, table]));
  return tables.flatMap(([of = "", name = "", type = "", rowCount, comment, options, next]) => {
    const kind = kinds[type ?? ""];
    if (!kind || of === null || name === null) return [];
    // The catalog may ignore case when it compares names.
    if (only && (of !== only.schema || name !== only.name)) return [];
    const found = columnsOf.get(JSON.stringify([of, name])) ?? [];
    const readable = found.flatMap((column) => readColumn(column, next));
    const isPartitioned = /\bpartitioned\b/.test(options ?? "");
    return {
      schema: of,
      name,
      kind: kind === "table" && isPartitioned ? "partitioned table" : kind,
      ...(kind === "table" && comment && { description: comment }),
      ...(kind === "table" && rowCount && { rows: Number(rowCount) }),
      // For a broken view, the server returns its error in place of a comment.
      ...(kind === "view" && readable.length === 0 && comment && { notes: [brokenNote(comment)] }),
      columns: readable,
    };
  });
}

function brokenNote(comment: string): string {
  return `the server cannot read the view: ${comment}; correct the view, or grant its definer the missing rights`;
}

/** Reads a column of the catalog. `next` is the next value of the column of its table that numbers the rows. */
function readColumn(
  [, , name, nativeType, collation, extra]: readonly (string | null)[],
  next?: string | null,
): SqlColumn[] {
  if (!name || !nativeType || /\binvisible\b/i.test(extra ?? "")) return [];
  const read = readType(nativeType);
  if (!read) return [];
  const { type, subtype, narrowed } = read;
  return [
    {
      name,
      nativeType,
      type,
      ...(subtype && { subtype }),
      ...(collation && { collation }),
      ...(narrowed && { narrowed }),
      ...(next && /\bauto_increment\b/i.test(extra ?? "") && { largest: Number(next) }),
    },
  ];
}

/** Reads a cell of the catalog, which some servers return as bytes. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return Buffer.isBuffer(value) ? value.toString("utf8") : String(value);
}

/** Type names by their number in the server's protocol. */
const typeNames: Readonly<Record<number, string>> = {
  1: "tinyint",
  2: "smallint",
  3: "int",
  4: "float",
  5: "double",
  6: "char",
  7: "timestamp",
  8: "bigint",
  9: "mediumint",
  10: "date",
  11: "time",
  12: "datetime",
  13: "year",
  15: "varchar",
  16: "bit",
  245: "json",
  247: "enum",
  248: "set",
  253: "varchar",
  254: "char",
};

/** Number of the collation of binary strings. */
const binary = 63;
/** The flag of unsigned numbers. */
const unsignedFlag = 32;
/** Maximum bytes of a character. The server sends all strings in UTF-8. */
const characterBytes = 4;

/**
 * Returns the columns of a statement that only reads, without running it. The columns have no collation, so filters on
 * them use no index.
 */
export async function describeStatement(
  session: MysqlSession,
  statement: string,
  signal: AbortSignal,
): Promise<readonly SqlColumn[]> {
  const columns = await session.describe(statement, signal);
  return columns.flatMap((column) =>
    readColumn([null, null, column.name, typeOf(column), null, null]),
  );
}

function typeOf({
  columnType,
  characterSet,
  columnLength,
  decimals,
  flags,
}: DescribedColumn): string {
  // The length of a decimal includes the sign and the decimal point.
  if (columnType === 0 || columnType === 246) return `decimal(${columnLength},${decimals})`;
  const isBlob = columnType >= 249 && columnType <= 252;
  if (characterSet !== binary) {
    if (isBlob) return columnLength > characterBytes * 65_535 ? "longtext" : "text";
    return typeNames[columnType] ?? "unknown";
  }
  if (columnType === 253) return "varbinary";
  if (isBlob || columnType === 254) return "blob";
  const name = typeNames[columnType] ?? "unknown";
  return name === "bigint" && (flags & unsignedFlag) !== 0 ? `${name} unsigned` : name;
}
