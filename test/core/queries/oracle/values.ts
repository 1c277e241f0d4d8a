import type { Aggregation as AggregationName } from "../../../../plugins/protocol/index.ts";
import type { PlainBin } from "../../../support/plainBin.ts";
import { columns, derivedSql } from "./world.ts";

export type ValueType = "numeric" | "hierarchy" | "datetime";

/** A value of a row in SQL, with its type. */
export interface RowValue {
  readonly sql: string;
  readonly type: ValueType;
  readonly isDate: boolean;
  /** Whether sums of these values are exact doubles, whatever the order of addition. */
  readonly isExact: boolean;
  readonly bin?: PlainBin;
}

/** An expression of a query, in SQL. `zone` is the index of the query's time zone. */
export interface RowTwin {
  readonly type: ValueType;
  readonly isDate: boolean;
  sql(zone: number): string;
}

/** A reference to a column as clients write it. */
export interface Mention {
  readonly column_id?: string;
  readonly dataset_id?: string;
  readonly expression?: string;
  readonly formula?: string;
  readonly level?: number | null;
  readonly discretization?: unknown;
  readonly include_nonoccurring?: boolean;
  readonly aggregation?: AggregationName | Aggregation;
  readonly [member: string]: unknown;
}
export interface Aggregation {
  readonly type: AggregationName;
  readonly fraction?: number;
  /** Id of the second column: the weights, or the other column. */
  readonly column_id?: string;
  readonly expression?: string;
  readonly discretization?: unknown;
}
export interface Discretization {
  readonly type: string;
  readonly bins?: number;
  readonly size?: number;
  readonly over?: readonly [number, number];
}

export const levels = [
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "hour",
  "minute",
  "second",
  "millisecond",
] as const;
const exact = new Set(["n", "m", "cost", "late"]);

/** Writes the SQL for a referenced value, truncated to its level. `zone` is the index of the query's time zone. */
export function rowValue(
  mention: Mention,
  twins: ReadonlyMap<string, RowTwin>,
  zone: number,
): RowValue {
  const { expression, column_id: id = "" } = mention;
  const level = levels[(mention.level ?? 0) - 1];
  if (expression) {
    const twin = twins.get(expression);
    if (!twin) throw new Error(`there is no SQL for ${expression}`);
    const { type, isDate } = twin;
    const sql = twin.sql(zone);
    if (level && zone !== 0) throw new Error("levels of expressions are only queried in UTC");
    return { type, isDate, isExact: false, sql: level ? truncated(sql, level) : sql };
  }
  const column = columns.find((each) => each.id === id);
  if (!column || column.type === "spatial") throw new Error(`there is no ${id}`);
  const isDate = column.subtype === "date";
  const derived = derivedSql[id]?.(zone);
  const stored =
    level && level !== "millisecond" ? `"${id}@${level}@${isDate ? 0 : zone}"` : `"${id}"`;
  return { type: column.type, isDate, isExact: exact.has(id), sql: derived ?? stored };
}

function truncated(sql: string, level: string): string {
  if (level === "millisecond") return sql;
  const start = `date_trunc('${level}', ${sql})::timestamp`;
  const first = "make_timestamp(-8640000000000000000)";
  return `(case when ${start} < ${first} then ${first} else ${start} end)`;
}

/** Writes the SQL for the bin of a number. */
export function binned(value: RowValue, bin: PlainBin): RowValue {
  const isEighth = [bin.width, bin.origin].every((each) => Number.isInteger(each * 8));
  return {
    ...value,
    isExact: value.isExact && isEighth,
    bin,
    sql: `bin_start(${value.sql}, ${numbersSql(bin)})`,
  };
}

/** Writes the numbers that define bins, as arguments of the macros `bin_start` and `bin_limit`. */
export function numbersSql({ width, origin, base, step, scale }: PlainBin): string {
  return [width, origin, base, step, scale].map((each) => `'${each}'::double`).join(", ");
}
