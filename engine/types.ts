import type { AggregateFunction } from "./aggregates.ts";
import type { Tenant } from "./fair/index.ts";

/*
 * The nouns of the store, with shapes and units. They import only the aggregates.
 *
 * Null: in a `NumberBatchColumn` or `DatetimeBatchColumn` a null is NaN. NaN and the infinities are rejected as values,
 * so NaN is free for this. In a `TextBatchColumn` a null is the code -1.
 */

/** The logical type of a column, independent of its physical layout. A `text` column contains strings. */
export type DataType = "number" | "datetime" | "text";

/** The name and the type of a column. */
export interface ColumnDefinition {
  /** Unique in its table. It is the caller's internal id and never shown to a person. */
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
}

/** The values of one column in a batch. */
export type BatchColumn = NumberBatchColumn | DatetimeBatchColumn | TextBatchColumn;

/** Columns of equal length, passed between operators, into the store and out of it. */
export interface Batch {
  readonly rowCount: number;
  readonly columns: readonly BatchColumn[];
}

/**
 * A batch whose columns are named: the input of `append` and `replace`. Columns of the table that are not named become
 * null.
 */
export interface NamedBatch {
  readonly names: readonly string[];
  readonly batch: Batch;
}

/** A table to create. */
export interface TableDefinition {
  /** A non-empty string, unique in the store. */
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  /**
   * True for a table that exists only in memory and only until the store is closed, such as the scratch tables of
   * residuals.
   * @default false
   */
  readonly temporary?: boolean;
}

/** The current state of a table. */
export interface TableInfo {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  readonly temporary: boolean;
  readonly rowCount: number;
  /** Increases by one with every acknowledged change to the table's rows or columns. */
  readonly version: number;
  /** Bytes of column data in memory. */
  readonly memoryBytes: number;
}

/** A plain value: a number, the milliseconds of a datetime, a string, or null. */
export type Scalar = number | string | null;

/**
 * The table of calendar periods, longest first, with their length in months, days or milliseconds. Weeks start on
 * Monday.
 */
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
/** The name of a calendar period. */
export type Period = keyof typeof periodLengths;
/** All periods, longest first. */
export const periods = Object.keys(periodLengths) as readonly Period[];

/**
 * A value that is computed per row. Null arguments give null, unless stated otherwise.
 *
 * - `column` is a column of the plan's table or, with `join`, of a joined table.
 * - `period` truncates a datetime to the instant (ms UTC) at which its period starts in `timezone` (IANA name).
 * - `bin` is the greatest limit that is at most x; limits are origin + k * width, in decimals (`limitsOf`).
 * - `case` is the value of the first branch whose test is true, or else `otherwise`, or null without it.
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
 * `left`. If there is none, or `left` is null, the joined columns are null. `left` is a column of the plan's table or
 * of an earlier join (a snowflake). Both columns must have the same type.
 * @throws {EngineError} JOIN_AMBIGUOUS when a value occurs twice in `right`, among the rows that pass `filter`
 */
export interface Join {
  /** The name by which expressions refer to the join. */
  readonly name: string;
  readonly table: string;
  readonly left: { readonly name: string; readonly join?: string };
  readonly right: string;
  /** A test of the joined table's columns. Rows that fail it are not joined. */
  readonly filter?: Predicate;
}

/** Operators that compare a value with a constant. */
export type ComparisonOperator = "=" | "<" | "<=" | ">" | ">=";

/**
 * A two-valued test of a row. A test of null is false, and `not` is the exact complement, so `not (x = 1)` keeps null.
 * Strings compare by code point. `contains`, `startsWith` and `endsWith` ignore case (simple Unicode folding) and have
 * no wildcards. `in` may list null, which matches null; an empty list matches nothing. Datetimes are given in
 * milliseconds.
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
 * An output of a plan: a key, by which a grouped plan groups, or an aggregate. Only the aggregate `rows` has no `of`.
 */
export type Output =
  | { readonly kind: "key"; readonly of: Expression }
  | {
      readonly kind: "aggregate";
      readonly function: AggregateFunction;
      readonly of?: Expression;
      /** The weight of `weightedaverage`; other aggregates must not have one. */
      readonly weight?: Expression;
      /** The fraction of a percentile, from 0 to 1; only percentiles have one. */
      readonly fraction?: number;
    };

/**
 * A test of the outputs of a grouped plan. It has the same forms as `Predicate`, with the index of an output in place
 * of an expression.
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
 * A query of one table and its joins.
 *
 * `grouped: true` returns one row per distinct combination of the key outputs, in which null is a group of its own.
 * Without keys it returns exactly one row, even over an empty table; without aggregates it returns the distinct
 * combinations. `grouped: false` returns one row per selected row, and allows only key outputs and no `having`.
 *
 * `order` sorts by output index, nulls last in both directions and strings by code point. The order of ties is
 * unspecified, but the same query over the same data gives the same rows. Without `order`, grouped answers are in an
 * unspecified but repeatable order, and ungrouped ones in order of arrival.
 */
export interface Plan {
  readonly table: string;
  readonly joins?: readonly Join[];
  readonly outputs: readonly Output[];
  readonly grouped: boolean;
  readonly filter?: Predicate;
  readonly having?: OutputPredicate;
  readonly order?: readonly { readonly output: number; readonly descending: boolean }[];
  readonly limit?: { readonly count: number; readonly offset: number };
}

/** The answer to a plan: one column per output, and the cost of computing it. */
export interface Answer extends Batch {
  /** Version of the table that was read. */
  readonly version: number;
  /** Number of rows that were read, after pruning. */
  readonly scannedRowCount: number;
}

/** A column that ingested bytes fill, and its name in those bytes. */
export interface FilledColumn extends ColumnDefinition {
  /**
   * The member of JSON objects, or the column of a file. JSON rows that are lists assign cells by position.
   * @default the value of `name`
   */
  readonly source?: string;
}

/** Bytes with rows for a table. */
export interface IngestRequest {
  readonly table: string;
  /**
   * `json` is one array of rows, which are lists or objects; `arrow` an Arrow IPC stream or file; `parquet` a Parquet
   * file.
   */
  readonly format: "json" | "arrow" | "parquet";
  /**
   * The caller must leave the bytes unchanged until the promise settles. The bytes of a file are copied to shared
   * memory, unless they are already in a SharedArrayBuffer.
   */
  readonly bytes: Uint8Array;
  /** Columns of the table to fill; the others become null. Without it, all columns of the table are filled. */
  readonly columns?: readonly FilledColumn[];
  /**
   * `replace` replaces all rows and keeps the columns.
   * @default "append"
   */
  readonly mode?: "append" | "replace";
}

/** Options of `openStore`. */
export interface StoreOptions {
  /** Folder for the store's files, created if missing. A folder can be open in only one store at a time. */
  readonly dir: string;
  /** Number of threads in the pool. */
  readonly workers: number;
  /** Budget for column data in bytes. A write that would exceed it fails with STORE_OUT_OF_MEMORY. */
  readonly memoryBytes: number;
}

/** Options of a query. */
export interface QueryOptions {
  /** The tenant of the query. Queries without a tenant share an unnamed one. */
  readonly tenant?: Tenant;
  /** Cancels the query: it rejects with QUERY_CANCELLED, and its workers stop at the next row group. */
  readonly signal?: AbortSignal;
}

/** Figures of a store at the time of the call. */
export interface StoreStats {
  readonly tableCount: number;
  /** Rows of all tables together. */
  readonly rowCount: number;
  /** Bytes of columns and dictionaries in memory, which count toward the budget. */
  readonly memoryBytes: number;
  /** Bytes of the machine's memory that the store occupies for columns and for scratch of queries, used or not. */
  readonly arenaBytes: number;
  readonly workers: number;
  /** Number of queries that wait for admission. */
  readonly queuedQueries: number;
  /** Number of queries in progress that do not wait for admission. */
  readonly runningQueries: number;
  /**
   * Why the last compaction in the background failed; absent if it did not. The store tries again when the log has
   * doubled.
   */
  readonly compactionFailure?: string;
  /** Why `warm` could not run its plans; absent if it could. Queries still work, but the first ones are slower. */
  readonly warmingFailure?: string;
}

/** The files of a store at one moment, kept under second names while the store continues. */
export interface StoreSnapshot {
  /** A folder within the store's folder. It is for reading only. */
  readonly folder: string;
  /**
   * The files in the folder. Only the first `sizeBytes` of each belong to the snapshot; later bytes were appended
   * afterwards.
   */
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
  /** Removes the folder. Safe to call again. */
  end(): Promise<void>;
}

/**
 * The columnar store. Every write is either on disk (fsync) as a whole before its promise resolves, or has no effect.
 */
export interface Store {
  /** Lists the tables that can be used. */
  tables(): readonly TableInfo[];
  /** Returns a table by name; undefined when it is unknown or damaged. */
  table(name: string): TableInfo | undefined;
  /**
   * Returns how many different strings each text column of a table contains, or has contained before rows were
   * replaced. Reads no rows. Returns undefined for an unknown table.
   */
  textCounts(name: string): ReadonlyMap<string, number> | undefined;
  /**
   * Creates an empty table.
   * @throws {EngineError} TABLE_EXISTS
   */
  create(definition: TableDefinition): Promise<TableInfo>;
  /**
   * Adds rows, and with `addColumns` columns, in one step. The caller must leave the arrays unchanged until the promise
   * settles.
   * @throws {EngineError} TABLE_UNKNOWN, COLUMN_UNKNOWN, COLUMN_EXISTS, VALUE_NOT_FINITE, BATCH_MALFORMED,
   * STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED
   */
  append(request: {
    readonly table: string;
    readonly rows: NamedBatch;
    readonly addColumns?: readonly ColumnDefinition[];
  }): Promise<TableInfo>;
  /**
   * Replaces all rows, and with `columns` the columns, atomically: a query sees either the old or the new table. The
   * caller must leave the arrays unchanged until the promise settles.
   */
  replace(request: {
    readonly table: string;
    readonly rows: NamedBatch;
    readonly columns?: readonly ColumnDefinition[];
  }): Promise<TableInfo>;
  /**
   * Adds rows from bytes, or replaces all rows with them, in one step: completely or not at all, and on disk before it
   * resolves. Threads read the bytes, and the rows are applied in short steps while queries continue. Ingests, appends
   * and replacements of the same table take effect in the order of the calls. A file must contain all columns that are
   * to be filled, and may contain others. Every cell and member of JSON must belong to a column; members that an object
   * lacks become null. Until they are applied, encoded rows take memory outside the budget, 8 bytes per value: for JSON
   * all rows, for a file about two batches per thread. An ingest that is running when the store closes is refused.
   * @throws {EngineError} TABLE_UNKNOWN, COLUMN_UNKNOWN, COLUMN_TYPE, BATCH_MALFORMED, INGEST_MALFORMED, INGEST_CELL,
   * INGEST_UNREADABLE, INGEST_UNSUPPORTED, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED, STORE_CLOSED
   */
  ingest(request: IngestRequest): Promise<TableInfo>;
  /**
   * Drops columns, then changes the type of columns, then adds columns, in one step. Changing a type rewrites the table
   * and converts each value exactly: numbers from and to their shortest decimal string, datetimes from and to ISO 8601
   * (UTC if it has no zone), and datetimes from and to numbers of milliseconds.
   * @throws {EngineError} TABLE_UNKNOWN, COLUMN_UNKNOWN, COLUMN_EXISTS, COLUMN_TYPE for the first value that cannot be
   * converted, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED
   */
  alter(request: {
    readonly table: string;
    readonly add?: readonly ColumnDefinition[];
    readonly drop?: readonly string[];
    readonly retype?: readonly ColumnDefinition[];
  }): Promise<TableInfo>;
  /**
   * Removes a table and its files.
   * @throws {EngineError} TABLE_UNKNOWN, STORE_WRITE_FAILED, STORE_CLOSED
   */
  drop(request: { readonly table: string }): Promise<void>;
  /**
   * Moves full row groups of one table, or of all, to segment files and frees the disk space of deleted data. Starts
   * automatically when a log grows. Reads and writes continue in the meantime.
   * @throws {EngineError} TABLE_UNKNOWN, TABLE_DAMAGED, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED
   */
  compact(request?: { readonly table?: string }): Promise<void>;
  /**
   * Answers a plan over the current version of its tables, which stay readable until the query ends.
   * @throws {EngineError} TABLE_UNKNOWN, TABLE_DAMAGED, COLUMN_UNKNOWN, COLUMN_TYPE, JOIN_AMBIGUOUS, QUERY_PLAN,
   * QUERY_TEXTS_LARGE, QUERY_CANCELLED, QUERY_OUT_OF_MEMORY, STORE_OUT_OF_MEMORY, STORE_BUSY, STORE_CLOSED,
   * WORKER_FAILED
   */
  query(plan: Plan, options?: QueryOptions): Promise<Answer>;
  /**
   * Keeps the current files until the snapshot ends. A folder with only these files opens as a store with the current
   * content. Each running change is included completely or not at all. Cost: two links per table; disk space of data
   * that is compacted or dropped in the meantime is freed when the snapshot ends. Only one snapshot can exist at a
   * time.
   * @throws {EngineError} SNAPSHOT_OPEN, STORE_CLOSED, STORE_WRITE_FAILED
   */
  snapshot(): Promise<StoreSnapshot>;
  /**
   * Warms the store up, so that the first queries are answered as fast as later ones. Starts the threads, which
   * otherwise start with the first query or ingest, and runs plans of all kinds over small internal tables. That takes
   * a second or two in the background, and other queries go first. Leaves nothing behind. Resolves when it is done, or
   * when the store closes. If the plans fail, `stats().warmingFailure` says why.
   * @throws {EngineError} WORKER_FAILED when threads cannot start, STORE_CLOSED
   */
  warm(): Promise<void>;
  /**
   * Resolves if the store accepts changes and its threads are loaded. It does so at once, without waiting for other
   * work.
   * @throws {EngineError} STORE_CLOSED, STORE_WRITE_FAILED, WORKER_FAILED
   */
  health(): Promise<void>;
  /** Returns the current figures of the store. */
  stats(): StoreStats;
  /** Stops accepting work, ends the pool, closes the files and unlocks the folder. */
  close(): Promise<void>;
}
