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
 * SQL over tables that this store has made (`columnTypes.ts`): numbers are finite and without -0, texts are valid
 * UTF-8, and null is NULL. A column may have a wider type than when it was described, so statements ask for its type
 * themselves (`storedColumn.ts`).
 */
export const storeDialect: Dialect = {
  ...shared,
  capabilities: { ...dialect.capabilities, joins: true, joinFilters: true, write: true },
  largeRows: 1_000_000,
  joins: {
    // The rows of the joined table are sent to each shard. With one server it is a left join.
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
    // An index of the column answers this test, whatever its type.
    if (isUsual(right)) return sql`(${quoted} ${sign} fromUnixTimestamp64Milli(${right}, 'UTC'))`;
    // Ticks, not instants: a server sends its shards an instant as text, and other years are lost on the way.
    const seconds = sql`(toUnixTimestamp(${quoted}) ${sign} ${inSeconds(operator, right)})`;
    const milliseconds = sql`(reinterpretAsInt64(${quoted}) ${sign} ${right})`;
    return sql`if(${hasSeconds(quoted)}, ${seconds}, ${milliseconds})`;
  },
  truncate: storedPeriod,
  aggregate: (call) => storedAggregate(call) ?? shared.aggregate(call),
};

/** The years 1900 to 2299, in which an instant and its text are the same to ClickHouse. */
const [usualFromMs, usualBeforeMs] = [Date.UTC(1900, 0), Date.UTC(2300, 0)];

function isUsual(bound: Bound): boolean {
  if (bound.kind === "list" || typeof bound.value !== "number") return false;
  return bound.value >= usualFromMs && bound.value < usualBeforeMs;
}

/** The bound of whole seconds that passes what a bound in milliseconds passes. */
function inSeconds(operator: Comparison, bound: Bound): Bound {
  if (bound.kind === "list" || typeof bound.value !== "number") return bound;
  const isUp = operator === ">=" || operator === "<";
  return { ...bound, value: (isUp ? Math.ceil : Math.floor)(bound.value / 1000) };
}
