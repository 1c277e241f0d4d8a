import type { WriteColumn } from "../../../plugins/protocol/index.ts";
import { textParameter } from "../parameters.ts";
import { quote } from "../quote.ts";
import { nativeType, widestType, type ColumnType } from "./columnTypes.ts";
import { writeColumn } from "./storedTables.ts";

/** Options that allow a statement to drop a table of any size. */
export const dropping = { settings: { max_table_size_to_drop: 0 } };

/**
 * Settings of tables: files, folders and merged parts are synced to disk before the server acknowledges an insert.
 */
const durable = [
  "fsync_after_insert = 1",
  "fsync_part_directory = 1",
  "min_rows_to_fsync_after_merge = 1",
  "min_compressed_bytes_to_fsync_after_merge = 1",
];
/** Number of write tokens that a table keeps to detect repeated inserts. */
const knownWrites = 1000;

export interface TableToCreate {
  /** Quoted table name with its database. */
  readonly table: string;
  readonly columns: readonly WriteColumn[];
  /** Types of the columns that do not have the widest type. */
  readonly types?: ReadonlyMap<string, ColumnType>;
  /** Id of the write that creates the table. */
  readonly writeId: string;
  /** The clause ` on cluster …`, or an empty string for a single server. */
  readonly onCluster?: string;
  /** Whether each shard has several servers. */
  readonly isReplicated?: boolean;
}

/** Returns the statement that creates a table for rows. The table's comment contains the id of the write. */
export function createStatement(
  { isReplicated = false, ...given }: TableToCreate,
  isRepeated: boolean,
): string {
  const kind = isReplicated ? "replicated" : "non_replicated";
  const settings = [`${kind}_deduplication_window = ${knownWrites}`, ...durable].join(", ");
  const engine = isReplicated ? "ReplicatedMergeTree" : "MergeTree";
  const indexes = given.columns.filter(isRanged).map((column) => `index ${rangeIndex(column)}`);
  return `${headOf(given, isRepeated, indexes)} engine = ${engine} order by tuple()
settings ${settings} comment '${textParameter(given.writeId)}'`;
}

/** Returns the statement that creates a table over the shards' tables. The created table itself stores no rows. */
export function distributedStatement(
  given: TableToCreate & {
    readonly cluster: string;
    readonly database: string;
    /** Name of the table on each shard. */
    readonly local: string;
  },
  isRepeated: boolean,
): string {
  const values = [given.cluster, given.database, given.local].map(
    (text) => `'${textParameter(text)}'`,
  );
  return `${headOf(given, isRepeated)} engine = Distributed(${values.join(", ")})
comment '${textParameter(given.writeId)}'`;
}

function headOf(
  { table, columns, types, onCluster = "" }: TableToCreate,
  isRepeated: boolean,
  indexes: readonly string[] = [],
): string {
  const defined = columns.map(
    ({ id, type }) => `${quote(id)} ${nativeType(types?.get(id) ?? widestType(type))}`,
  );
  const mark = `${quote(writeColumn)} LowCardinality(String)`;
  const all = [...defined, mark, ...indexes].join(", ");
  return `create table ${isRepeated ? "if not exists " : ""}${table}${onCluster} (${all})`;
}

/**
 * Returns whether a column gets a min-max index. Datetimes mostly arrive in order, so the minimum and maximum of every
 * few thousand rows exclude most other rows.
 */
function isRanged({ type }: Pick<WriteColumn, "type">): boolean {
  return type === "datetime";
}

/** Returns the name of the min-max index of a column. */
function rangeOf(id: string): string {
  return quote(`${id} range`);
}

function rangeIndex({ id }: WriteColumn): string {
  return `${rangeOf(id)} ${quote(id)} type minmax granularity 1`;
}

/**
 * Returns the statement that adds and drops columns of a table together with their indexes. Repeating the statement
 * changes nothing.
 */
export function alterStatement(
  table: string,
  add: readonly WriteColumn[],
  drop: readonly string[],
  onCluster = "",
): string {
  const parts = [
    // ClickHouse requires that the index is dropped before its column.
    ...drop.map((id) => `drop index if exists ${rangeOf(id)}`),
    ...changesOf([], drop),
    ...changesOf(add, []),
    ...add.filter(isRanged).map((column) => `add index if not exists ${rangeIndex(column)}`),
  ];
  return `alter table ${table}${onCluster} ${parts.join(", ")}`;
}

/** Like `alterStatement`, but for a table over the shards' tables. */
export function alterDistributedStatement(
  table: string,
  add: readonly WriteColumn[],
  drop: readonly string[],
  onCluster = "",
): string {
  return `alter table ${table}${onCluster} ${changesOf(add, drop).join(", ")}`;
}

function changesOf(add: readonly WriteColumn[], drop: readonly string[]): readonly string[] {
  return [
    ...add.map(
      ({ id, type }) => `add column if not exists ${quote(id)} ${nativeType(widestType(type))}`,
    ),
    ...drop.map((id) => `drop column if exists ${quote(id)}`),
  ];
}

/** Returns the statement that changes the types of columns. Repeating the statement changes nothing. */
export function modifyStatement(
  table: string,
  types: ReadonlyMap<string, ColumnType>,
  onCluster = "",
): string {
  const parts = [...types].map(([id, type]) => `modify column ${quote(id)} ${nativeType(type)}`);
  return `alter table ${table}${onCluster} ${parts.join(", ")}`;
}
