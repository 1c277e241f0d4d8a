import type { Query } from "../protocol/index.ts";
import type { ColumnScopeOptions } from "./columnScope.ts";
import type { SqlTable } from "./driver.ts";
import type { Fragment } from "./fragment.ts";

/** A query, and the tables that it reads. */
export interface CompileOptions extends Omit<ColumnScopeOptions, "query"> {
  readonly query: Query;
  readonly table: SqlTable;
  /** A statement that takes the place of the table, in parentheses and with an alias. */
  readonly source?: Fragment;
  /** Whether to omit rows that cannot be among the first rows, according to their first sort key (`topTest`). */
  readonly isCut?: boolean;
  /** The tables of the query's joins, in order. */
  readonly joined?: readonly SqlTable[];
}
