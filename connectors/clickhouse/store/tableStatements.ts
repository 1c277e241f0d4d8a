import type { WriteColumn } from "../../../plugins/protocol/index.ts";
import { textParameter } from "../parameters.ts";
import { quote } from "../quote.ts";
import { nativeType, widestType, type ColumnType } from "./columnTypes.ts";
import { writeColumn } from "./storedTables.ts";

/** Options of a statement that drops a table, however large it is. */
export const dropping = { settings: { max_table_size_to_drop: 0 } };

/** Files and folders are on the disk before an insert is acknowledged, and parts that are merged stay there. */
const durable = [
  "fsync_after_insert = 1",
  "fsync_part_directory = 1",
  "min_rows_to_fsync_after_merge = 1",
  "min_compressed_bytes_to_fsync_after_merge = 1",
];
/** Tokens of writes that a table knows. */
const knownWrites = 1000;

export interface TableToCreate {
  /** The quoted name of the table, with its database. */
  readonly table: string;
  readonly columns: readonly WriteColumn[];
  /** The types of columns that are not the widest. */
  readonly types?: ReadonlyMap<string, ColumnType>;
  /** Names the write that makes the table. */
  readonly writeId: string;
  /** ` on cluster …`, or an empty text. */
  readonly onCluster?: string;
  /** Each shard has several servers. */
  readonly isReplicated?: boolean;
}

/** Writes the statement that creates a table of rows; its comment is the id of the write. */
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

/** Writes the statement that creates a table over those of a cluster's shards, without rows of its own. */
export function distributedStatement(
  given: TableToCreate & {
    readonly cluster: string;
    readonly database: string;
    /** The name of the table of each shard. */
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

/** Datetimes mostly arrive in order, so the extremes of some thousand rows leave most rows out. */
function isRanged({ type }: Pick<WriteColumn, "type">): boolean {
  return type === "datetime";
}

/** Names the index of the extremes of a column. */
function rangeOf(id: string): string {
  return quote(`${id} range`);
}

function rangeIndex({ id }: WriteColumn): string {
  return `${rangeOf(id)} ${quote(id)} type minmax granularity 1`;
}

/**
 * Writes the statement that adds and drops columns of a table of rows, with their indexes; carrying it out again
 * changes nothing.
 */
export function alterStatement(
  table: string,
  add: readonly WriteColumn[],
  drop: readonly string[],
  onCluster = "",
): string {
  const parts = [
    // Before its column, which ClickHouse does not drop otherwise.
    ...drop.map((id) => `drop index if exists ${rangeOf(id)}`),
    ...changesOf([], drop),
    ...changesOf(add, []),
    ...add.filter(isRanged).map((column) => `add index if not exists ${rangeIndex(column)}`),
  ];
  return `alter table ${table}${onCluster} ${parts.join(", ")}`;
}

/** Like `alterStatement`, for a table over those of a cluster's shards. */
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

/** Writes the statement that gives columns other types; carrying it out again changes nothing. */
export function modifyStatement(
  table: string,
  types: ReadonlyMap<string, ColumnType>,
  onCluster = "",
): string {
  const parts = [...types].map(([id, type]) => `modify column ${quote(id)} ${nativeType(type)}`);
  return `alter table ${table}${onCluster} ${parts.join(", ")}`;
}
