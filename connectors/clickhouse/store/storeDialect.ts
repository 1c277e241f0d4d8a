import { sqlCapabilities, type Dialect } from "../../../plugins/sql/index.ts";
import { dialect } from "../dialect.ts";

const { readWide: _, ...shared } = dialect;

/**
 * SQL over tables that this store has made: numbers are finite doubles without -0, datetimes are milliseconds since
 * 1970 as Int64, texts are valid UTF-8, and null is NULL. So a column is read as it is.
 */
export const storeDialect: Dialect = {
  ...shared,
  capabilities: { ...sqlCapabilities, write: true },
  read: (_, quoted) => quoted,
};
