import type { Level } from "../../../plugins/protocol/index.ts";
import { sql, sqlCapabilities, trusted, type Dialect } from "../../../plugins/sql/index.ts";
import { truncated } from "../calendar.ts";
import { dialect } from "../dialect.ts";

const { readWide: _, ...shared } = dialect;
/** The first instant, on a Tuesday of April: the periods around it begin there. */
const firstInstant = trusted("-8640000000000000");
const longLevels: readonly Level[] = ["year", "quarter", "month", "week"];

/**
 * SQL over tables that this store has made: numbers are finite doubles without -0, datetimes are milliseconds since
 * 1970 as Int64, texts are valid UTF-8, and null is NULL. So a column is read as it is.
 */
export const storeDialect: Dialect = {
  ...shared,
  capabilities: { ...sqlCapabilities, write: true },
  read: (_, quoted) => quoted,
  truncate(instant, level) {
    const start = truncated(instant, level);
    if (!longLevels.includes(level)) return start;
    return sql`if(${start} < ${firstInstant}, ${firstInstant}, ${start})`;
  },
};
