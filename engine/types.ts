import type { AggregateFunction } from "./aggregates.ts";
import type { Tenant } from "./fair/index.ts";

/*
 * The types of the store, with shapes and units. This file imports only the aggregates and the tenant.
 *
 * Null is NaN in a `NumberBatchColumn` or `DatetimeBatchColumn`, because NaN and the infinities are rejected as values.
 * In a `TextBatchColumn`, null is the code -1.
 */

/** The logical type of a column, independent of its physical layout. A `text` column contains strings. */
export type DataType = "number" | "datetime" | "text";

/** The name and the type of a table's column. */
export interface ColumnDefinition {
  /** Unique in its table. Callers pass internal ids, which they never show to people. */
  readonly name: string;
  readonly type: DataType;
}

/** Doubles (IEEE 754), one per row. NaN is null. */
export interface NumberBatchColumn {
  readonly type: "number";
  readonly values: Float64Array;
}

/** Whole milliseconds since 1970-01-01T00:00:00Z, one per row. NaN is null. */
export interface DatetimeBatchColumn {
  readonly type: "datetime";
  readonly values: Float64Array;
}

/**
 * Strings: `dictionary[codes[row]]` is the value of a row; the code -1 is null. Dictionary entries are distinct; some
 * may be unused.
 */
export interface TextBatchColumn {
  readonly type: "text";
  readonly codes: Int32Array;
  readonly dictionary: readonly string[];
  /**
   * The dictionary as consecutive UTF-8, in which `ends[code]` is the end offset of a string. Absent if there is no
   * such form, or if a string has a lone surrogate. If all text columns of a large batch have it, `append` encodes the
   * batch in the threads.
   */
  readonly utf8?: { readonly bytes: Uint8Array; readonly ends: Int32Array } | undefined;
}

/** The values of one column in a batch. */
export type BatchColumn = NumberBatchColumn | DatetimeBatchColumn | TextBatchColumn;

/** Columns of equal length. Batches are passed between operators, into the store and out of it. */
export interface Batch {
  readonly rowCount: number;
  readonly columns: readonly BatchColumn[];
}

/**
 * The input of `append` and `replace`: a batch, and the names of its columns in the same order. Columns of the table
 * that the batch does not name become null.
 */
export interface NamedBatch {
  readonly names: readonly string[];
  readonly batch: Batch;
}

/** A change of rows by their keys. */
export interface UpdateRequest {
  readonly table: string;
  /** The rows, which contain at least the columns of the key. The caller must not change the arrays meanwhile. */
  readonly rows: NamedBatch;
  /** Names of the columns that identify a row. Their values must not be null, and each key may occur only once. */
  readonly key: readonly string[];
  /**
   * What happens to a row whose key no stored row has: it is inserted or ignored, or the update is refused.
   * @default "insert", which means "ignore" if the update deletes rows
   */
  readonly missing?: "insert" | "ignore" | "refuse";
  /**
   * Whether the stored rows with these keys are deleted instead of replaced.
   * @default false
   */
  readonly deletes?: boolean;
  /** The tenant whose share of the threads the update uses. */
  readonly tenant?: Tenant;
}

/**
 * What an update has done. `updated`, `inserted` and `ignored` count rows of the update; `deleted` counts stored rows
 * that are gone without another row in their place. The table has `inserted` - `deleted` rows more than before.
 */
export interface UpdateCounts {
  readonly updated: number;
  readonly inserted: number;
  readonly deleted: number;
  readonly ignored: number;
}

/** The result of an update. */
export interface TableUpdate {
  readonly info: TableInfo;
  readonly counts: UpdateCounts;
  /**
   * Present if the update was refused and has changed nothing: no stored row has the key of these rows (`missing`), or
   * several stored rows have it (`repeated`), whose other columns the update does not contain. Rows count from 0.
   */
  readonly refused?: { readonly reason: "missing" | "repeated"; readonly rows: readonly number[] };
}

/** A table to create. */
export interface TableDefinition {
  /** A non-empty string, unique in the store. */
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  /**
   * True for a table that exists only in memory and only until the store is closed. An example is a scratch table over
   * which the host computes the residual of a query.
   * @default false
   */
  readonly temporary?: boolean;
}

/** The state of a table at the time of the call. */
export interface TableInfo {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  readonly temporary: boolean;
  readonly rowCount: number;
  /** Incremented by every acknowledged change to the table's rows or columns. */
  readonly version: number;
  /** Bytes of the table's column data in memory. */
  readonly memoryBytes: number;
  /** Number of deleted rows that still use memory, and that `rowCount` does not include; absent if there are none. */
  readonly deletedCount?: number;
}

/** A plain value: a number, the milliseconds of a datetime, a string, or null. */
export type Scalar = number | string | null;

/** The calendar periods, longest first, with their length in months, days or milliseconds. Weeks start on Monday. */
export const periodLengths = {
  year: { months: 12 },
  quarter: { months: 3 },
  month: { months: 1 },
  week: { days: 7 },
  day: { days: 1 },
  hour: { ms: 3_600_000 },
  minute: { ms: 60_000 },
  second: { ms: 1000 },
  millisecond: { ms: 1 },
} as const;
/** The name of a calendar period: a key of `periodLengths`. */
export type Period = keyof typeof periodLengths;
/** The names of all periods, longest first. */
export const periods = Object.keys(periodLengths) as readonly Period[];

/**
 * A value that is computed per row. If an argument is null, the value is null, unless stated otherwise.
 *
 * - `column` is a column of the plan's table or, with `join`, of a joined table.
 * - `period` truncates a datetime to the instant (ms UTC) at which its period starts in `timezone` (IANA name).
 * - `bin` is the greatest limit that is at most the argument. Limits are origin + k * width, computed in decimals
 * (`limitsOf`).
 * - `case` is the value of the first branch whose test is true. If no test is true, it is `otherwise`; null if
 * `otherwise` is absent.
 * - `call` applies a function from `scalarFunctions`; a result that is not a finite number is null.
 */
export type Expression =
  | { readonly kind: "column"; readonly name: string; readonly join?: string }
  | { readonly kind: "literal"; readonly type: DataType; readonly value: Scalar }
  | {
      readonly kind: "period";
      readonly of: Expression;
      readonly period: Period;
      readonly timezone: string;
    }
  | {
      readonly kind: "bin";
      readonly of: Expression;
      readonly width: number;
      readonly origin: number;
    }
  | {
      readonly kind: "case";
      readonly branches: readonly { readonly when: Predicate; readonly then: Expression }[];
      readonly otherwise?: Expression;
    }
  | { readonly kind: "call"; readonly function: string; readonly of: readonly Expression[] };

/**
 * A many-to-one join. Each row of the plan's table matches at most one row of `table`: the row whose `right` equals
 * `left`. If there is no such row, or `left` is null, the joined columns are null. `left` is a column of the plan's
 * table or of an earlier join (a snowflake). Both columns must have the same type. If the key has further columns
 * (`and`), all of them must be equal too.
 * @throws {EngineError} JOIN_AMBIGUOUS if a key occurs twice among the rows that pass `filter`
 */
export interface Join {
  /** The name by which expressions refer to the join. */
  readonly name: string;
  readonly table: string;
  readonly left: { readonly name: string; readonly join?: string };
  readonly right: string;
  /** Further columns of the key. */
  readonly and?: readonly Pick<Join, "left" | "right">[];
  /** A predicate on the joined table's columns. Rows that do not pass are not joined. */
  readonly filter?: Predicate;
}

/** An operator that compares a value with a constant. */
export type ComparisonOperator = "=" | "<" | "<=" | ">" | ">=";

/**
 * A two-valued test of a row. A comparison with null is false, and `not` passes exactly the rows that the inner test
 * rejects, so `not (x = 1)` passes nulls. Strings are compared by code point. `contains`, `startsWith` and `endsWith`
 * ignore case (simple Unicode folding) and have no wildcards. `in` may list null, which matches null; an empty list
 * matches nothing. Datetimes are milliseconds.
 */
export type Predicate =
  | { readonly kind: "and"; readonly of: readonly Predicate[] }
  | { readonly kind: "or"; readonly of: readonly Predicate[] }
  | { readonly kind: "not"; readonly of: Predicate }
  | {
      readonly kind: "compare";
      readonly left: Expression;
      readonly operator: ComparisonOperator;
      readonly value: number | string;
    }
  | { readonly kind: "in"; readonly left: Expression; readonly values: readonly Scalar[] }
  | {
      readonly kind: "match";
      readonly left: Expression;
      readonly match: "contains" | "startsWith" | "endsWith";
      readonly text: string;
    }
  | { readonly kind: "isNull"; readonly left: Expression };

/**
 * An output of a plan: an aggregate, or a key, by which a grouped plan groups. The aggregate `rows` has no `of`; all
 * other outputs must have an `of`.
 */
export type Output =
  | { readonly kind: "key"; readonly of: Expression }
  | {
      readonly kind: "aggregate";
      readonly function: AggregateFunction;
      readonly of?: Expression;
      /** The weight for `weightedaverage`; not allowed for other aggregates. */
      readonly weight?: Expression;
      /** The other number for `corr`; not allowed for other aggregates. */
      readonly other?: Expression;
      /** The fraction of a percentile, between 0 and 1; not allowed for other aggregates. */
      readonly fraction?: number;
      /**
       * Key outputs, by index. A `cumulativesum` starts again for each combination of their values; not allowed for
       * other aggregates.
       */
      readonly per?: readonly number[];
    };

/**
 * A test of the outputs of a grouped plan. It has the same forms as `Predicate`, with the index of an output in place
 * of each expression.
 */
export type OutputPredicate =
  | { readonly kind: "and"; readonly of: readonly OutputPredicate[] }
  | { readonly kind: "or"; readonly of: readonly OutputPredicate[] }
  | { readonly kind: "not"; readonly of: OutputPredicate }
  | {
      readonly kind: "compare";
      readonly output: number;
      readonly operator: ComparisonOperator;
      readonly value: number | string;
    }
  | { readonly kind: "in"; readonly output: number; readonly values: readonly Scalar[] }
  | {
      readonly kind: "match";
      readonly output: number;
      readonly match: "contains" | "startsWith" | "endsWith";
      readonly text: string;
    }
  | { readonly kind: "isNull"; readonly output: number };

/**
 * A limit for each set of rows that are equal in some outputs: the plan skips the first `offset` of these rows and
 * keeps at most `count`, in the order of the plan. Null equals null.
 */
export interface GroupLimit {
  readonly count: number;
  readonly offset: number;
  /** Indexes of outputs that are keys. At least one is required. */
  readonly outputs: readonly number[];
}

/**
 * A query of one table and its joins.
 *
 * `grouped: true` returns one row per distinct combination of the key outputs; null counts as a separate key value.
 * Without keys, the answer has exactly one row, even over an empty table. Without aggregates, the answer contains only
 * the distinct combinations. `grouped: false` returns one row per selected row, and allows only key outputs and no
 * `having`.
 *
 * `order` sorts by output index, nulls last in both directions and strings by code point. The order of ties is
 * unspecified, but repeating the query over the same data returns the same rows. Without `order`, the order of grouped
 * answers is unspecified but repeatable, and ungrouped answers are in order of arrival.
 *
 * `filter` selects rows and `having` selects groups. `groupLimit` keeps the first rows of each combination of some
 * outputs, after cumulative sums. Then `limit` skips the first `offset` rows of the ordered answer and returns at most
 * `count` rows.
 */
export interface Plan {
  readonly table: string;
  readonly joins?: readonly Join[];
  readonly outputs: readonly Output[];
  readonly grouped: boolean;
  readonly filter?: Predicate;
  readonly having?: OutputPredicate;
  readonly order?: readonly { readonly output: number; readonly descending: boolean }[];
  readonly groupLimit?: GroupLimit;
  readonly limit?: { readonly count: number; readonly offset: number };
}

/** The answer to a plan: one column per output, and the cost of computing it. */
export interface Answer extends Batch {
  /** The version of the plan's table from which the query read. */
  readonly version: number;
  /** Number of rows that the query read. Rows that zone maps excluded do not count. */
  readonly scannedRowCount: number;
}

/** A request to add rows to a table, or to replace its rows, from batches that arrive one by one. */
export interface FillRequest {
  readonly table: string;
  /** The columns that the batches fill. */
  readonly columns: readonly ColumnDefinition[];
  /** The batches, with the columns in any order. A batch must not change until the next batch is requested. */
  readonly batches: AsyncIterable<NamedBatch>;
  /**
   * `append` adds rows. `replace` replaces all rows.
   * @default "append"
   */
  readonly mode?: "append" | "replace";
  /** For `replace`: the columns of the table from now on. Absent: the columns stay as they are. */
  readonly definitions?: readonly ColumnDefinition[];
}

/** A request to decode rows of JSON without storing them. */
export interface DecodeRequest {
  /**
   * One JSON array of rows, which are lists of cells. The caller must not change the bytes until the promise settles.
   */
  readonly bytes: Uint8Array;
  /** The type of each cell of a row. If absent, the types are detected. */
  readonly types?: readonly DataType[];
  /**
   * Requests a digest of this string and the rows (see `DecodedRows.digest`). If absent, no digest is computed.
   */
  readonly digestPrefix?: string;
  /** The tenant whose share of the threads the request uses. */
  readonly tenant?: Tenant;
}

/** A column of decoded rows. */
export interface DecodedColumn {
  /** The values. The dictionary of a text column is created when it is first read. */
  readonly column: BatchColumn;
  /** True if there is at least one value and all values are dates without a time. */
  readonly isDate: boolean;
  /** True if all values are null. */
  readonly isEmpty: boolean;
  /** Number of distinct strings of a text column, and of their UTF-16 code units; 0 for other columns. */
  readonly textCount: number;
  readonly textLength: number;
}

/** Rows that the threads have decoded. `append` and `replace` store their columns without encoding strings again. */
export interface DecodedRows {
  readonly rowCount: number;
  readonly columns: readonly DecodedColumn[];
  /**
   * The SHA-256 in Base64 of `digestPrefix` and the rows, each as `JSON.stringify` writes it, followed by a line feed.
   * Absent if it was not requested.
   */
  readonly digest?: string;
  /** Makes the memory of the columns available to later requests. The columns must not be used afterwards. */
  release(): void;
}

/** Options of `openStore`. */
export interface StoreOptions {
  /** Folder for the store's files, created if missing. A folder can be open in only one store at a time. */
  readonly dir: string;
  /** Number of threads in the pool. */
  readonly workers: number;
  /** Budget in bytes for column data in memory. A write that would exceed it fails with STORE_OUT_OF_MEMORY. */
  readonly memoryBytes: number;
}

/** Options of a query. */
export interface QueryOptions {
  /** The tenant of the query. All queries without a tenant share one unnamed tenant. */
  readonly tenant?: Tenant;
  /**
   * Aborting the signal cancels the query, which then rejects with QUERY_CANCELLED. Its workers stop at the next yield
   * point.
   */
  readonly signal?: AbortSignal;
}

/** Figures of a store at the time when `stats` is called. */
export interface StoreStats {
  readonly tableCount: number;
  /** Total number of rows of all tables. */
  readonly rowCount: number;
  /** Bytes of columns and dictionaries in memory, which count toward the budget. */
  readonly memoryBytes: number;
  /**
   * Bytes of system memory that the store has allocated for columns and for the scratch memory of queries, including
   * unused parts.
   */
  readonly arenaBytes: number;
  readonly workers: number;
  /** Number of queries that wait for admission. */
  readonly queuedQueries: number;
  /** Number of admitted queries in progress. */
  readonly runningQueries: number;
  /**
   * The reason why the last compaction in the background failed; absent if it succeeded. The store tries again when the
   * log has doubled in size.
   */
  readonly compactionFailure?: string;
  /**
   * The reason why the warm-up failed; absent if it did not fail. After a failure, queries still work, but the first
   * queries are slower.
   */
  readonly warmingFailure?: string;
  /**
   * The reason why the last query with very many groups used one hash table per thread, which takes longer, instead of
   * computing the groups part by part; absent if it did not have to.
   */
  readonly partitioningRefusal?: string;
}

/**
 * The files of a store at one moment. They are kept under second names while the store continues to change its own
 * files.
 */
export interface StoreSnapshot {
  /** A folder within the store's folder. Callers may only read it. */
  readonly folder: string;
  /**
   * The files in the folder. Only the first `sizeBytes` of each file belong to the snapshot; later bytes were appended
   * afterwards.
   */
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
  /** Ends the snapshot and removes its folder. Further calls have no effect. */
  end(): Promise<void>;
}

/**
 * The columnar store. Before the promise of a write resolves, the whole write is on disk (fsync). A write that fails
 * has no effect.
 */
export interface Store {
  /** Lists all tables, except damaged tables. */
  tables(): readonly TableInfo[];
  /** Returns a table by name; undefined if the table is unknown or damaged. */
  table(name: string): TableInfo | undefined;
  /**
   * Returns for each text column of a table, by name, how many distinct strings it has contained since the table was
   * last rewritten, including strings that only deleted rows have. Reads no rows. Returns undefined for an unknown
   * table.
   */
  textCounts(name: string): ReadonlyMap<string, number> | undefined;
  /**
   * Creates an empty table.
   * @throws {EngineError} TABLE_EXISTS, TABLE_DAMAGED, COLUMN_EXISTS, BATCH_MALFORMED, STORE_WRITE_FAILED, STORE_CLOSED
   */
  create(definition: TableDefinition): Promise<TableInfo>;
  /**
   * Adds rows and, with `addColumns`, columns in one step. The caller must not change the arrays until the promise
   * settles.
   * @throws {EngineError} TABLE_UNKNOWN, TABLE_DAMAGED, COLUMN_UNKNOWN, COLUMN_EXISTS, COLUMN_TYPE, VALUE_NOT_FINITE,
   * BATCH_MALFORMED, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED, STORE_CLOSED
   */
  append(request: {
    readonly table: string;
    readonly rows: NamedBatch;
    readonly addColumns?: readonly ColumnDefinition[];
  }): Promise<TableInfo>;
  /**
   * Atomically replaces all rows and, with `columns`, the columns. A query reads either the old or the new table. With
   * `columns`, even a damaged table can be replaced. The caller must not change the arrays until the promise settles.
   * @throws {EngineError} TABLE_UNKNOWN, TABLE_DAMAGED, COLUMN_UNKNOWN, COLUMN_EXISTS, COLUMN_TYPE, VALUE_NOT_FINITE,
   * BATCH_MALFORMED, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED, STORE_CLOSED
   */
  replace(request: {
    readonly table: string;
    readonly rows: NamedBatch;
    readonly columns?: readonly ColumnDefinition[];
  }): Promise<TableInfo>;
  /**
   * Replaces or deletes rows by key in one step: each row of the request takes the place of all stored rows with its
   * key. Columns that the request does not contain keep their values; if several stored rows have one key, the update
   * is then refused. Reads all rows of the key columns in the threads.
   * @throws {EngineError} TABLE_UNKNOWN, TABLE_DAMAGED, COLUMN_UNKNOWN, COLUMN_TYPE, VALUE_NOT_FINITE,
   * BATCH_MALFORMED, QUERY_OUT_OF_MEMORY, STORE_BUSY, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED, STORE_CLOSED
   */
  update(request: UpdateRequest): Promise<TableUpdate>;
  /**
   * Adds rows from batches, or replaces all rows with them, in one step. The rows are stored completely or not at all,
   * and are on disk when the promise resolves. Queries read the old rows until then. Fills, appends and replacements of
   * the same table take effect in the order of the calls. Memory outside the budget: about two batches. A running fill
   * fails when the store is closed.
   * @throws {EngineError} TABLE_UNKNOWN, TABLE_DAMAGED, COLUMN_UNKNOWN, COLUMN_EXISTS, COLUMN_TYPE, BATCH_MALFORMED,
   * VALUE_NOT_FINITE, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED, STORE_CLOSED, WORKER_FAILED; and the errors of `batches`
   */
  fillBatches(request: FillRequest): Promise<TableInfo>;
  /**
   * Decodes rows of JSON in a thread, and stores nothing. The decoded rows use memory outside the budget, at 8 bytes
   * per value. Fails soon if queries use all threads.
   * @throws {EngineError} INGEST_MALFORMED, INGEST_CELL, QUERY_OUT_OF_MEMORY, STORE_BUSY, STORE_CLOSED, WORKER_FAILED
   */
  decode(request: DecodeRequest): Promise<DecodedRows>;
  /**
   * Drops columns, then changes the types of columns, then adds columns, in one step. Changing a type rewrites the
   * table and converts each value exactly. Numbers are converted to and from their shortest decimal string. Datetimes
   * are converted to and from ISO 8601 (UTC if there is no zone), and to and from milliseconds.
   * @throws {EngineError} TABLE_UNKNOWN, TABLE_DAMAGED, COLUMN_UNKNOWN, COLUMN_EXISTS, COLUMN_TYPE for the first value
   * that cannot be converted, BATCH_MALFORMED, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED, STORE_CLOSED
   */
  alter(request: {
    readonly table: string;
    readonly add?: readonly ColumnDefinition[];
    readonly drop?: readonly string[];
    readonly retype?: readonly ColumnDefinition[];
  }): Promise<TableInfo>;
  /**
   * Removes a table and its files. The files of a damaged table are renamed instead.
   * @throws {EngineError} TABLE_UNKNOWN, STORE_WRITE_FAILED, STORE_CLOSED
   */
  drop(request: { readonly table: string }): Promise<void>;
  /**
   * Moves the full row groups of one table, or of all tables, to segment files and frees the disk space of deleted
   * data. Also runs automatically when a log has grown. Reads and writes continue meanwhile.
   * @throws {EngineError} TABLE_UNKNOWN, TABLE_DAMAGED, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED, STORE_CLOSED
   */
  compact(request?: { readonly table?: string }): Promise<void>;
  /**
   * Answers a plan over the current versions of its tables. These versions stay readable until the query ends.
   * @throws {EngineError} TABLE_UNKNOWN, TABLE_DAMAGED, COLUMN_UNKNOWN, COLUMN_TYPE, JOIN_AMBIGUOUS, QUERY_PLAN,
   * QUERY_TEXTS_LARGE, QUERY_CANCELLED, QUERY_OUT_OF_MEMORY, STORE_OUT_OF_MEMORY, STORE_BUSY, STORE_CLOSED,
   * WORKER_FAILED
   */
  query(plan: Plan, options?: QueryOptions): Promise<Answer>;
  /**
   * Keeps the current files until the snapshot ends. A folder with only these files opens as a store with the current
   * content. Each running change is included completely or not at all. A snapshot costs two links per table. If tables
   * are compacted or dropped, their disk space is freed only when the snapshot ends. Only one snapshot can exist at a
   * time.
   * @throws {EngineError} SNAPSHOT_OPEN, STORE_CLOSED, STORE_WRITE_FAILED
   */
  snapshot(): Promise<StoreSnapshot>;
  /**
   * Warms the store up, so that the first queries are as fast as later queries. Starts the threads, which otherwise
   * start with the first query or push, and runs plans of all kinds over small internal tables. This takes a second
   * or two in the background, and other queries go first. Afterwards, no table or file is left behind. Resolves when
   * the warm-up is done, or when the store closes. If the warm-up fails, `stats().warmingFailure` contains the reason.
   * @throws {EngineError} WORKER_FAILED if threads cannot start, STORE_CLOSED
   */
  warm(): Promise<void>;
  /**
   * Resolves if the store accepts changes and its threads are loaded. Does not wait for other work.
   * @throws {EngineError} STORE_CLOSED, STORE_WRITE_FAILED, WORKER_FAILED
   */
  health(): Promise<void>;
  /** Returns the current figures of the store. */
  stats(): StoreStats;
  /** Rejects further work, closes the pool and the files, and unlocks the folder. */
  close(): Promise<void>;
}
