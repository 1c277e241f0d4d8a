import type { Aggregation, Cell, Level, Operator } from "../../plugins/protocol/index.ts";

/** A mention of a column as the caller wrote it, its ids unresolved. `path` is where it stands in the request. */
export interface Reference {
  readonly path: string;
  /** Absent only with `column_id: "*"`. */
  readonly datasetId: string | undefined;
  readonly columnId: string;
  readonly level: Level | undefined;
  readonly aggregation: Aggregation | undefined;
}

/** A test whose value is checked for shape; whether it suits the column is known after `resolve`. */
export interface Test {
  readonly path: string;
  readonly reference: Reference;
  readonly operator: Operator | "between";
  /** Absent for null tests; one cell for scalars, two for `between`. */
  readonly value: readonly Cell[] | undefined;
}

export type Condition =
  | Test
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] };

export interface OrderItem {
  readonly reference: Reference;
  readonly order: "asc" | "desc";
}

export interface Page {
  readonly by: number;
  readonly offset: number;
}

/** One data query after `parse`: the shape is checked, nothing is looked up. Lists of conditions are ANDed. */
export interface Question {
  readonly path: string;
  readonly dimensions: readonly Reference[];
  readonly measures: readonly Reference[];
  readonly where: readonly Condition[];
  readonly having: readonly Condition[];
  readonly order: readonly OrderItem[];
  /** `limit` and, inside it, `options.paging`. */
  readonly limit: Page | undefined;
  /** false: raw rows, aggregations do not count. */
  readonly rollup: boolean;
  /** A canonical IANA name; undefined is UTC. */
  readonly timezoneId: string | undefined;
}
