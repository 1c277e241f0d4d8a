import type {
  BatchColumn,
  DataType,
  NamedBatch,
  WriteColumn,
} from "../../../plugins/protocol/index.ts";
import { textParameter } from "../parameters.ts";
import { quote } from "../quote.ts";
import { writeColumn } from "./storedTables.ts";

const nativeTypes: Readonly<Record<DataType, string>> = {
  numeric: "Nullable(Float64)",
  datetime: "Nullable(Int64)",
  hierarchy: "LowCardinality(Nullable(String))",
};

/** The type of texts that hardly repeat, where a dictionary costs more than it saves. */
const ownTexts = "Nullable(String)";
/** Texts below which a dictionary is small whatever the rows are. */
const fewTexts = 10_000;

/** Names the columns of rows whose texts hardly repeat. */
export function idsOfOwnTexts({ columnIds, batch }: NamedBatch): ReadonlySet<string> {
  return new Set(columnIds.filter((_, index) => hasOwnTexts(batch.columns[index]!)));
}

/** Returns whether most rows of a column have a text of their own. */
function hasOwnTexts(column: BatchColumn): boolean {
  if (column.type !== "hierarchy") return false;
  const { length } = column.dictionary;
  return length > fewTexts && length > column.codes.length / 2;
}

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
  /** Columns with texts that hardly repeat. */
  readonly ownTextIds?: ReadonlySet<string>;
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
  return `${headOf(given, isRepeated)} engine = ${engine} order by tuple()
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
  { table, columns, ownTextIds, onCluster = "" }: TableToCreate,
  isRepeated: boolean,
): string {
  const defined = columns.map(
    ({ id, type }) => `${quote(id)} ${ownTextIds?.has(id) ? ownTexts : nativeTypes[type]}`,
  );
  const all = [...defined, `${quote(writeColumn)} LowCardinality(String)`].join(", ");
  return `create table ${isRepeated ? "if not exists " : ""}${table}${onCluster} (${all})`;
}

/** Writes the statement that adds and drops columns; carrying it out again changes nothing. */
export function alterStatement(
  table: string,
  add: readonly WriteColumn[],
  drop: readonly string[],
  onCluster = "",
): string {
  const parts = [
    ...add.map(({ id, type }) => `add column if not exists ${quote(id)} ${nativeTypes[type]}`),
    ...drop.map((id) => `drop column if exists ${quote(id)}`),
  ];
  return `alter table ${table}${onCluster} ${parts.join(", ")}`;
}

/** Writes the statement that gives columns the type of texts that hardly repeat. */
export function ownTextsStatement(
  table: string,
  columnIds: ReadonlySet<string>,
  onCluster = "",
): string {
  const parts = [...columnIds].map((id) => `modify column ${quote(id)} ${ownTexts}`);
  return `alter table ${table}${onCluster} ${parts.join(", ")}`;
}
