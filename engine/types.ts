import type { AggregateFunction } from "./aggregates.ts";
import type { Tenant } from "./fair/index.ts";

/*
 * The nouns of the store, with shapes and units. They import the aggregations alone.
 *
 * Null: in a `NumberBatchColumn` or `DatetimeBatchColumn` a null is NaN (NaN and the infinities are refused on
 * the way in, so NaN is free); in a `TextBatchColumn` a null is the code -1.
 */

/** The logical type of a column, apart from its physical layout. */
export type DataType = "number" | "datetime" | "text";

export interface ColumnDefinition {
  /** Unique in its table; the caller's own id, never shown to a person. */
  readonly name: string;
  readonly type: DataType;
}

/** IEEE doubles, one a row. NaN is null. */
export interface NumberBatchColumn {
  readonly type: "number";
  readonly values: Float64Array;
}

/** Whole milliseconds since 1970-01-01T00:00:00Z, one a row. NaN is null. */
export interface DatetimeBatchColumn {
  readonly type: "datetime";
  readonly values: Float64Array;
}

/** `dictionary[codes[row]]` is the text of a row; the code -1 is null. Entries are distinct; some may be unused. */
export interface TextBatchColumn {
  readonly type: "text";
  readonly codes: Int32Array;
  readonly dictionary: readonly string[];
}

export type BatchColumn = NumberBatchColumn | DatetimeBatchColumn | TextBatchColumn;

/** Equal-length columns passed between operators, into the store and out of it. */
export interface Batch {
  readonly rowCount: number;
  readonly columns: readonly BatchColumn[];
}

/**
 * A batch whose columns are named: what `append` and `replace` take. Columns of the table that are not named are null.
 */
export interface NamedBatch {
  readonly names: readonly string[];
  readonly batch: Batch;
}

export interface TableDefinition {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  /** Held in memory only, gone at close: the scratch tables of residuals. */
  readonly temporary?: boolean;
}

export interface TableInfo {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  readonly temporary: boolean;
  readonly rowCount: number;
  /** Grows by one with every acknowledged change of the table's rows or columns. */
  readonly version: number;
  /** Bytes of column data held in memory. */
  readonly memoryBytes: number;
}

export type Scalar = number | string | null;

/** The table of calendar periods, coarsest first, by their length in months, days or ms. Weeks start on Monday. */
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
export type Period = keyof typeof periodLengths;
export const periods = Object.keys(periodLengths) as readonly Period[];

/**
 * A value computed per row; null in, null out, unless said otherwise.
 * `column` names a column of the plan's table or, with `join`, of a joined table.
 * `period` truncates a datetime to the instant (ms UTC) at which its period starts in `timezone` (IANA name).
 * `bin` is the greatest limit that is not above x; limits are origin + k * width, on decimals (`limitsOf`).
 * `case` is the value of the first branch whose test is true, else `otherwise`, else null.
 * `call` applies a function of `scalarFunctions`; a result that is no finite number is null.
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
 * A many-to-one join: each row of the plan's table meets at most one row of `table`, the one whose `right` equals
 * `left`; without one, or when `left` is null, the joined columns are null. `left` is a column of the plan's table or
 * of an earlier join (a snowflake). Texts join texts, numbers numbers, datetimes datetimes.
 * @throws {EngineError} JOIN_AMBIGUOUS when a value occurs twice in `right`, among the rows that pass `filter`
 */
export interface Join {
  /** The name by which expressions refer to it. */
  readonly name: string;
  readonly table: string;
  readonly left: { readonly name: string; readonly join?: string };
  readonly right: string;
  /** A test of the joined table's columns. Rows that fail it do not take part in the join. */
  readonly filter?: Predicate;
}

export type ComparisonOperator = "=" | "<" | "<=" | ">" | ">=";

/**
 * A two-valued test of a row: a test on null is false, and `not` is the exact complement, so
 * `not (x = 1)` keeps null. Text compares by code point; `contains`, `startsWith` and `endsWith`
 * ignore case (simple Unicode folding) and know no wildcards. `in` may list null, which matches null;
 * an empty list matches nothing. Datetimes are given in milliseconds.
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

export type Output =
  | { readonly kind: "key"; readonly of: Expression }
  | {
      readonly kind: "aggregate";
      readonly function: AggregateFunction;
      readonly of?: Expression;
      /** Of `weightedaverage`, and nothing else. */
      readonly weight?: Expression;
      /** For percentiles only: from 0 to 1. */
      readonly fraction?: number;
    };

/**
 * A test over the outputs of a grouped plan: the same forms as `Predicate`, with the index of an output in place of an
 * expression.
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
 * What a query asks of one table.
 *
 * `grouped: true`: one row a distinct combination of the key outputs (null is a group of its own);
 * without keys exactly one row, also over an empty table; without aggregates the distinct
 * combinations. `grouped: false`: one row per selected row, key outputs only, no having.
 *
 * `order` sorts by output index, nulls last in both directions, text by code point; ties keep no
 * promise beyond: the same query over the same data gives the same rows. Without `order`, grouped
 * answers come in an unspecified but repeatable order and ungrouped ones in the order of arrival.
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

/** The answer of a plan: a column per output, and what it took. */
export interface Answer extends Batch {
  /** Version of the table that was read. */
  readonly version: number;
  /** Rows that were looked at, after pruning. */
  readonly scannedRowCount: number;
}

/** A column that ingested bytes fill, and its name in them. */
export interface FilledColumn extends ColumnDefinition {
  /**
   * Member of JSON objects, or column of a file; `name` when absent. Cells of JSON rows that are lists go by position.
   */
  readonly source?: string;
}

export interface IngestRequest {
  readonly table: string;
  /** Rows as one JSON array of lists or of objects, an Arrow IPC stream or file, a Parquet file. */
  readonly format: "json" | "arrow" | "parquet";
  /**
   * The caller leaves the bytes unchanged until the promise settles. Bytes of a file are copied to memory that the
   * threads read, unless they are in a SharedArrayBuffer.
   */
  readonly bytes: Uint8Array;
  /** Columns of the table to fill, the others are null; without them all columns of the table. */
  readonly columns?: readonly FilledColumn[];
  /** `append` when absent; `replace` exchanges all rows and keeps the columns. */
  readonly mode?: "append" | "replace";
}

export interface StoreOptions {
  /** Folder of the store's files, made when missing. One store a folder: a second opener is refused. */
  readonly dir: string;
  /** Threads of the pool. */
  readonly workers: number;
  /** Budget for column data. A write that would pass it is refused with STORE_OUT_OF_MEMORY. */
  readonly memoryBytes: number;
}

export interface QueryOptions {
  /** Whose query it is; queries without a tenant are of one that has no name. */
  readonly tenant?: Tenant;
  /** Cancels the query: it rejects with QUERY_CANCELLED, and its workers stop at the next row group. */
  readonly signal?: AbortSignal;
}

export interface StoreStats {
  readonly tableCount: number;
  readonly rowCount: number;
  readonly memoryBytes: number;
  /** Bytes that the store holds of the machine's memory for its columns and for the scratch of queries, used or not. */
  readonly arenaBytes: number;
  readonly workers: number;
  readonly queuedQueries: number;
  readonly runningQueries: number;
  /**
   * Why the last compaction in the background failed; absent when it did not. It is tried again when the log has
   * doubled.
   */
  readonly compactionFailure?: string;
  /** Why `warm` could not run its plans; absent when it could. Queries are answered, the first ones slower. */
  readonly warmingFailure?: string;
}

/** The files of a store at one moment, kept under second names while the store goes on. */
export interface StoreSnapshot {
  /** A folder within the store's, to read from alone. */
  readonly folder: string;
  /** The files in it. The first `sizeBytes` of each belong to the snapshot; the bytes behind them came later. */
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
  /** Removes the folder. Safe to call again. */
  end(): Promise<void>;
}

/** The columnar store. Every write is on disk (fsync) before its promise resolves, whole or not at all. */
export interface Store {
  tables(): readonly TableInfo[];
  table(name: string): TableInfo | undefined;
  /**
   * Returns how many different strings each text column of a table holds, or held before rows were replaced. Reads no
   * rows. Undefined for an unknown table.
   */
  textCounts(name: string): ReadonlyMap<string, number> | undefined;
  /** @throws {EngineError} TABLE_EXISTS */
  create(definition: TableDefinition): Promise<TableInfo>;
  /**
   * Adds rows, and with `addColumns` columns, in one step. The caller leaves the arrays unchanged until the promise
   * settles. @throws {EngineError} TABLE_UNKNOWN, COLUMN_UNKNOWN,
   * COLUMN_EXISTS, VALUE_NOT_FINITE, BATCH_MALFORMED, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED
   */
  append(request: {
    readonly table: string;
    readonly rows: NamedBatch;
    readonly addColumns?: readonly ColumnDefinition[];
  }): Promise<TableInfo>;
  /**
   * Exchanges all rows, and with `columns` the columns, in one atomic switch; a query sees the old or the new. The
   * caller leaves the arrays unchanged until the promise settles.
   */
  replace(request: {
    readonly table: string;
    readonly rows: NamedBatch;
    readonly columns?: readonly ColumnDefinition[];
  }): Promise<TableInfo>;
  /**
   * Adds the rows that bytes hold, or exchanges all rows for them, in one step: whole or not at all, and on disk before
   * it resolves. Bytes are read on the threads and applied in short steps while queries go on; ingests, appends and
   * replacements of one table take effect in the order of the calls. A file must have all columns that are to be filled
   * and may have others; cells and members of JSON must all be covered, and members that an object lacks are null.
   * Encoded rows wait in memory that the budget does not count before they are applied, 8 bytes a value: all rows of
   * JSON, of a file about two batches a thread. An ingest that runs when the store closes is refused.
   * @throws {EngineError} TABLE_UNKNOWN, COLUMN_UNKNOWN, COLUMN_TYPE, BATCH_MALFORMED, INGEST_MALFORMED, INGEST_CELL,
   * INGEST_UNREADABLE, INGEST_UNSUPPORTED, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED, STORE_CLOSED
   */
  ingest(request: IngestRequest): Promise<TableInfo>;
  /**
   * Columns go, then change their type, then come, in one step. Retyping writes the table anew and converts each value
   * exactly: numbers from and to their shortest text, datetimes from and to ISO 8601 (no zone is UTC), numbers from and
   * to datetimes as milliseconds.
   * @throws {EngineError} TABLE_UNKNOWN, COLUMN_UNKNOWN, COLUMN_EXISTS, COLUMN_TYPE for the first value that cannot be
   * converted, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED
   */
  alter(request: {
    readonly table: string;
    readonly add?: readonly ColumnDefinition[];
    readonly drop?: readonly string[];
    readonly retype?: readonly ColumnDefinition[];
  }): Promise<TableInfo>;
  drop(request: { readonly table: string }): Promise<void>;
  /**
   * Puts full row groups into segment files and gives back the disk of what is gone, of one table or of all. Starts
   * automatically when a log grows. Reads and writes go on meanwhile.
   * @throws {EngineError} TABLE_UNKNOWN, TABLE_DAMAGED, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED
   */
  compact(request?: { readonly table?: string }): Promise<void>;
  query(plan: Plan, options?: QueryOptions): Promise<Answer>;
  /**
   * Keeps the files of this moment until the snapshot ends: a folder with them alone opens as this store did. Changes
   * that are under way are in it whole or not at all. Cost: two links a table; the disk of what is compacted or dropped
   * meanwhile is given back at its end. One at a time.
   * @throws {EngineError} SNAPSHOT_OPEN, STORE_CLOSED, STORE_WRITE_FAILED
   */
  snapshot(): Promise<StoreSnapshot>;
  /**
   * Starts the threads, which else start with the first query or ingest, and runs plans of all kinds over small tables
   * of its own, so that the first questions are answered as fast as later ones; that takes a second or two in the
   * background, behind what is asked meanwhile. Leaves nothing behind. Resolves when it is done, or when the store
   * closes. `stats().warmingFailure` says what went wrong with the plans.
   * @throws {EngineError} WORKER_FAILED when threads cannot start, STORE_CLOSED
   */
  warm(): Promise<void>;
  /**
   * Resolves when the store takes changes and its threads are loaded: at once, whatever waits for them.
   * @throws {EngineError} STORE_CLOSED, STORE_WRITE_FAILED, WORKER_FAILED
   */
  health(): Promise<void>;
  stats(): StoreStats;
  /** Stops taking work, ends the pool, closes the files and gives the folder free. */
  close(): Promise<void>;
}
