import {
  sql,
  trusted,
  type Bound,
  type Comparison,
  type Dialect,
} from "../../../plugins/sql/index.ts";
import { dialect } from "../dialect.ts";
import { repeatedKey } from "../failure.ts";
import { storedAggregate } from "./storedAggregate.ts";
import { hasSeconds, isStored, storedColumn, storedInstant } from "./storedColumn.ts";
import { storedPeriod } from "./storedPeriod.ts";

const { within: _, ...shared } = dialect;

/**
 * The dialect for the tables that this store has created (`columnTypes.ts`). In these tables, numbers are finite and
 * never -0, strings are valid UTF-8, and null is NULL. The type of a column may have widened since the column was
 * described, so each statement checks the type itself (`storedColumn.ts`).
 */
export const storeDialect: Dialect = {
  ...shared,
  capabilities: {
    ...dialect.capabilities,
    joins: true,
    compositeJoins: true,
    joinFilters: true,
    write: true,
  },
  largeRows: 1_000_000,
  joins: {
    // On a cluster, sends the rows of the joined table to each shard. On a single server, this is an ordinary left
    // join.
    left: "global left join",
    only: (column) => sql`any(${column})`,
    refuseRepeated: (rowCount) => sql`throwIf(${rowCount} > 1, ${trusted(`'${repeatedKey}'`)}) = 0`,
  },
  read: ({ type }, quoted) => (type === "datetime" ? storedInstant(quoted) : storedColumn(quoted)),
  readWide: (_, quoted) => storedColumn(quoted),
  equal: (test) => shared.equal({ ...test, column: undefined }),
  isIn: (test) => shared.isIn({ ...test, column: undefined }),
  compare({ column, ...test }) {
    const { left, operator, right, type } = test;
    if (!column || type !== "datetime" || !isStored(left)) return shared.compare(test);
    const { quoted } = left;
    const sign = trusted(operator);
    // This test can use an index of the column, whatever type the column has.
    if (isUsual(right)) return sql`(${quoted} ${sign} fromUnixTimestamp64Milli(${right}, 'UTC'))`;
    // Compares ticks instead of instants, because a server sends instants to its shards as strings, which cannot
    // represent years outside 1900 to 2299.
    const seconds = sql`(toUnixTimestamp(${quoted}) ${sign} ${inSeconds(operator, right)})`;
    const milliseconds = sql`(reinterpretAsInt64(${quoted}) ${sign} ${right})`;
    return sql`if(${hasSeconds(quoted)}, ${seconds}, ${milliseconds})`;
  },
  truncate: storedPeriod,
  aggregate: (call) => storedAggregate(call) ?? shared.aggregate(call),
};

/** The years 1900 to 2299. In these years, ClickHouse converts instants to strings and back without loss. */
const [usualFromMs, usualBeforeMs] = [Date.UTC(1900, 0), Date.UTC(2300, 0)];

function isUsual(bound: Bound): boolean {
  if (bound.kind === "list" || typeof bound.value !== "number") return false;
  return bound.value >= usualFromMs && bound.value < usualBeforeMs;
}

/** Returns the bound in whole seconds that is equivalent to a bound in milliseconds. */
function inSeconds(operator: Comparison, bound: Bound): Bound {
  if (bound.kind === "list" || typeof bound.value !== "number") return bound;
  const isUp = operator === ">=" || operator === "<";
  return { ...bound, value: (isUp ? Math.ceil : Math.floor)(bound.value / 1000) };
}
