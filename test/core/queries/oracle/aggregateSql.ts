import type { Aggregation } from "../../../../plugins/protocol/index.ts";
import { literal } from "./openOracle.ts";
import type { RowValue, ValueType } from "./values.ts";

/**
 * An aggregate of a group. Another order of its additions may differ by `tolerance`; absent means exact.
 */
export interface GroupValue {
  readonly sql: string;
  readonly type: ValueType;
  readonly tolerance?: string;
  /** The value of a group without rows. */
  readonly empty: "0" | "null";
}

const epsilon = 2 ** -52;

/** Writes an aggregation of a value; without a value it counts rows. */
export function aggregateSql(
  name: Aggregation,
  value: RowValue | undefined,
  { fraction = 0.5, weight }: { readonly fraction?: number; readonly weight?: RowValue },
): GroupValue {
  const numeric = { type: "numeric", empty: "null" } as const;
  if (!value) return { type: "numeric", empty: "0", sql: "count(*)::double" };
  const { sql: x, type, isExact } = value;
  const near = (tolerance: string) => (isExact ? {} : { tolerance });
  const size = `(count(${x}) + 2) * ${epsilon}`;
  switch (name) {
    case "count":
      return { type: "numeric", empty: "0", sql: `count(${x})::double` };
    case "distinctcount":
      return { type: "numeric", empty: "0", sql: `count(distinct ${x})::double` };
    case "min":
    case "max":
      return { type, empty: "null", sql: `${name}(${x})` };
    case "sum":
    case "cumulativesum":
      return { ...numeric, sql: `sum(${x})`, ...near(`sum(abs(${x})) * ${size}`) };
    case "average":
      return {
        ...numeric,
        sql: `(sum(${x}) / nullif(count(${x}), 0))`,
        ...near(`(sum(abs(${x})) / nullif(count(${x}), 0)) * ${size}`),
      };
    case "stddev":
      return { ...numeric, sql: `stddev_samp(${x})`, tolerance: `max(abs(${x})) * 4 * ${size}` };
    case "median":
    case "percentile": {
      const sorted = `list_sort(list(${x}) filter (where ${x} is not null))`;
      const sql = `percentile_of(${sorted}, ${literal(fraction, "numeric")})`;
      return fraction === 0.5 && isExact
        ? { ...numeric, sql }
        : { ...numeric, sql, tolerance: `max(abs(${x})) * ${4 * epsilon}` };
    }
    case "weightedaverage": {
      const w = weight?.sql ?? "null";
      const both: string = `filter (where ${x} is not null and ${w} is not null)`;
      const total = `nullif(sum(${w}) ${both}, 0)`;
      return {
        ...numeric,
        sql: `(sum(${x} * ${w}) ${both} / ${total})`,
        ...near(`sum(abs(${x} * ${w})) ${both} / abs(${total}) * ${size}`),
      };
    }
    default:
      throw new Error(`${name satisfies never} has no SQL here`);
  }
}
