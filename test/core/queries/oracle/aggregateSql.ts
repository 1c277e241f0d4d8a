import { aggregationDefinitions, type Aggregation } from "../../../../plugins/protocol/index.ts";
import { duckdbAggregate } from "../../../support/duckdbAggregate.ts";
import { literal } from "./openOracle.ts";
import type { RowValue, ValueType } from "./values.ts";

/**
 * An aggregate of a group, in SQL. If values are added up in another order, the result may differ by `tolerance`. If
 * `tolerance` is absent, the value is exact.
 */
export interface GroupValue {
  readonly sql: string;
  readonly type: ValueType;
  readonly tolerance?: string;
  /** The value of the aggregate for a group without rows. */
  readonly empty: "0" | "null";
}

const epsilon = 2 ** -52;

/** Writes the SQL for an aggregation of a value. Without a value, it counts rows. */
export function aggregateSql(
  name: Aggregation,
  value: RowValue | undefined,
  { fraction = 0.5, second }: { readonly fraction?: number; readonly second?: RowValue },
): GroupValue {
  if (!value) return { type: "numeric", empty: "0", sql: duckdbAggregate("rows", "*") };
  const { sql: x, type, isExact } = value;
  const { empty, result, rounds } = aggregationDefinitions[name];
  const folded = {
    type: result === "T" ? type : "numeric",
    empty: empty === 0 ? "0" : "null",
    sql: duckdbAggregate(name, x, { weight: second?.sql, other: second?.sql }),
  } as const;
  const size = `(count(${x}) + 2) * ${epsilon}`;
  if (name === "median" || name === "percentile") {
    const sorted = `list_sort(list(${x}) filter (where ${x} is not null))`;
    const sql = `percentile_of(${sorted}, ${literal(fraction, "numeric")})`;
    if (fraction === 0.5 && isExact) return { ...folded, sql };
    return { ...folded, sql, tolerance: `max(abs(${x})) * ${4 * epsilon}` };
  }
  if (rounds === undefined) return folded;
  if (rounds === "largest") return { ...folded, tolerance: `max(abs(${x})) * 4 * ${size}` };
  if (rounds === "spread") return { ...folded, tolerance: spreadOf(x, second?.sql ?? "null") };
  if (isExact) return folded;
  return { ...folded, tolerance: `${totalOf(name, x, second?.sql ?? "null")} * ${size}` };
}

/** Writes the sum of the absolute values, in the unit of the aggregate. */
function totalOf(name: Aggregation, x: string, w: string): string {
  if (name === "average") return `(sum(abs(${x})) / nullif(count(${x}), 0))`;
  if (name !== "weightedaverage") return `sum(abs(${x}))`;
  const both = `filter (where ${x} is not null and ${w} is not null)`;
  return `sum(abs(${x} * ${w})) ${both} / abs(nullif(sum(${w}) ${both}, 0))`;
}

/** Writes the error of a correlation, which grows with the size of the numbers compared to their spread. */
function spreadOf(x: string, y: string): string {
  const both = `filter (where ${x} is not null and ${y} is not null)`;
  const ratio = (side: string) =>
    `max(abs(${side})) ${both} / nullif(max(${side}) ${both} - min(${side}) ${both}, 0)`;
  return `((${ratio(x)} + ${ratio(y)} + 1) * (count(*) + 2) * ${16 * epsilon})`;
}
