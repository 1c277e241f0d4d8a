import type { Level } from "../../../plugins/protocol/index.ts";
import { sql, sqlCapabilities, trusted, type Dialect } from "../../../plugins/sql/index.ts";
import { truncated } from "../calendar.ts";
import { dialect } from "../dialect.ts";

const { readWide: _, ...shared } = dialect;
/** The first instant, on a Tuesday of April: the periods around it begin there. */
const firstInstant = trusted("-8640000000000000");
/** From the first Monday of 1970 to the end of 2099: the server's own functions are right there, and much faster. */
const usual = trusted("between 345600000 and 4102444799999");
const usualStart: Readonly<Partial<Record<Level, string>>> = {
  year: "toStartOfYear",
  quarter: "toStartOfQuarter",
  month: "toStartOfMonth",
  week: "toMonday",
};

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
    const name = usualStart[level];
    if (name === undefined) return start;
    const second = sql`toDateTime(intDiv(${instant}, 1000), 'UTC')`;
    const day = sql`toInt64(${trusted(name)}(${second}))`;
    const other = sql`if(${start} < ${firstInstant}, ${firstInstant}, ${start})`;
    return sql`if(${instant} ${usual}, ${day} * 86400000, ${other})`;
  },
};
