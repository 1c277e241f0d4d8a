import type { Query } from "../protocol/index.ts";
import type { ColumnScopeOptions } from "./columnScope.ts";
import type { SqlTable } from "./driver.ts";
import type { Fragment } from "./fragment.ts";

/** A query with what is known of the tables that it names. */
export interface CompileOptions extends Omit<ColumnScopeOptions, "query"> {
  readonly query: Query;
  readonly table: SqlTable;
  /** Replaces the table: a statement in parentheses, with an alias. */
  readonly source?: Fragment;
  /** Leaves rows out that are not among the first by the first key of the order (`topTest`). */
  readonly isCut?: boolean;
  /** The tables of the query's joins, in their order. */
  readonly joined?: readonly SqlTable[];
}
