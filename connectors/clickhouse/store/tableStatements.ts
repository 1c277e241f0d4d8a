import type { BatchColumn, DataType, WriteColumn } from "../../../plugins/protocol/index.ts";
import { textParameter } from "../parameters.ts";
import { quote } from "../quote.ts";
import { writeColumn } from "./storedTables.ts";

const nativeTypes: Readonly<Record<DataType, string>> = {
  numeric: "Nullable(Float64)",
  datetime: "Nullable(Int64)",
  hierarchy: "LowCardinality(Nullable(String))",
};

/** The type of texts that hardly repeat, where a dictionary costs more than it saves. */
export const ownTexts = "Nullable(String)";
/** Texts below which a dictionary is small whatever the rows are. */
const fewTexts = 10_000;

/** Returns whether most rows of a column have a text of their own. */
export function hasOwnTexts(column: BatchColumn): boolean {
  if (column.type !== "hierarchy") return false;
  const { length } = column.dictionary;
  return length > fewTexts && length > column.codes.length / 2;
}

/** Files and folders are on the disk before an insert is acknowledged, and parts that are merged stay there. */
const settings = [
  "non_replicated_deduplication_window = 1000",
  "fsync_after_insert = 1",
  "fsync_part_directory = 1",
  "min_rows_to_fsync_after_merge = 1",
  "min_compressed_bytes_to_fsync_after_merge = 1",
].join(", ");

export interface TableToCreate {
  /** The quoted name of the table, with its database. */
  readonly table: string;
  readonly columns: readonly WriteColumn[];
  /** Columns with texts that hardly repeat. */
  readonly ownTextIds?: ReadonlySet<string>;
  /** Names the write that makes the table. */
  readonly writeId: string;
}

/** Writes the statement that creates a table; its comment is the id of the write. */
export function createStatement(
  { table, columns, ownTextIds, writeId }: TableToCreate,
  isRepeated: boolean,
): string {
  const defined = columns.map(
    ({ id, type }) => `${quote(id)} ${ownTextIds?.has(id) ? ownTexts : nativeTypes[type]}`,
  );
  const all = [...defined, `${quote(writeColumn)} LowCardinality(String)`].join(", ");
  return `create table ${isRepeated ? "if not exists " : ""}${table} (${all}) engine = MergeTree order by tuple()
settings ${settings} comment '${textParameter(writeId)}'`;
}

/** Writes the statement that adds and drops columns; carrying it out again changes nothing. */
export function alterStatement(
  table: string,
  add: readonly WriteColumn[],
  drop: readonly string[],
): string {
  const parts = [
    ...add.map(({ id, type }) => `add column if not exists ${quote(id)} ${nativeTypes[type]}`),
    ...drop.map((id) => `drop column if exists ${quote(id)}`),
  ];
  return `alter table ${table} ${parts.join(", ")}`;
}
