import type { ColumnDefinition, Expression, Output, Predicate } from "../../../engine/index.ts";

/** A number for each group: an aggregate, or a function of several. */
export type Measure =
  | Extract<Output, { readonly kind: "aggregate" }>
  | {
      readonly kind: "formula";
      readonly function: "add" | "subtract" | "multiply" | "divide";
      readonly of: readonly [Measure | number, Measure | number];
    };

/** A test of a row. `columns` compares two columns. */
export type Test =
  | Predicate
  | {
      readonly kind: "columns";
      readonly left: Expression;
      readonly operator: "<" | "=";
      readonly right: Expression;
    };

/** A question in one form, from which the API query, the engine's plan and the SQL of both peers are written. */
export interface PublicQuestion {
  readonly name: string;
  readonly table: string;
  readonly keys: readonly Expression[];
  readonly measures: readonly Measure[];
  /** True for plain rows, which are not grouped. */
  readonly isRaw?: boolean;
  readonly where?: readonly Test[];
  /** Keeps the groups whose measure, given by index, is above a value. */
  readonly having?: { readonly measure: number; readonly above: number };
  /** Indexes of the outputs (keys first, then measures) by which rows are sorted, and whether descending. */
  readonly order?: readonly { readonly output: number; readonly descending: boolean }[];
  /** If `per` is present, the limit applies to the rows of each value of this key, given by index. */
  readonly limit?: { readonly count: number; readonly offset: number; readonly per?: number };
  /** Allowed relative difference of numbers. The default is 1e-9. */
  readonly tolerance?: number;
}

/** A question that the API cannot express. */
export interface UnsaidQuestion {
  readonly name: string;
  readonly reason: string;
}

/** A generated table. */
export interface PublicTable {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  /** Text columns with few values, which peers store as ENUM or LowCardinality. */
  readonly fewValued: readonly string[];
  /** The columns by which ClickHouse sorts the table. */
  readonly clickhouseOrder: readonly string[];
  /** The DuckDB query that generates the rows. */
  readonly sql: string;
}

/** A link from one table to the key of another. Expressions refer to it by its name. */
export interface PublicLink {
  readonly name: string;
  readonly table: string;
  readonly left: { readonly table: string; readonly name: string; readonly join?: string };
  readonly right: string;
}

/** The lowest acceptable ratios of a peer's time to the time of a host, as geometric means and for one question. */
export interface PublicBars {
  readonly duckdb: number;
  readonly peers: number;
  readonly each: number;
}

/** A public benchmark: its tables and its questions. */
export interface PublicPart {
  readonly name: string;
  readonly tables: readonly PublicTable[];
  readonly links: readonly PublicLink[];
  readonly questions: readonly PublicQuestion[];
  readonly unsaid: readonly UnsaidQuestion[];
  readonly bars: PublicBars;
}
