import type { ColumnDefinition } from "../../../engine/index.ts";

/**
 * The columns of the bench table `f`: two datetimes, strings with 5 to 2,000,000 distinct values, whole numbers,
 * decimals, doubles, and 2 % nulls in `z`.
 */
export const factColumns: readonly ColumnDefinition[] = [
  { name: "dt", type: "datetime" },
  { name: "dtu", type: "datetime" },
  { name: "s5", type: "text" },
  { name: "s50", type: "text" },
  { name: "s1000", type: "text" },
  { name: "s50k", type: "text" },
  { name: "s2m", type: "text" },
  { name: "i1", type: "number" },
  { name: "i2", type: "number" },
  { name: "x", type: "number" },
  { name: "y", type: "number" },
  { name: "z", type: "number" },
];

/** The ten columns that are ingested as JSON rows. */
export const jsonColumns = factColumns.filter(({ name }) => name !== "dtu" && name !== "i2");

/** The columns of the table `dim`, which has one row for each value of `s50k`. */
export const dimensionColumns: readonly ColumnDefinition[] = [
  { name: "s50k", type: "text" },
  { name: "cat20", type: "text" },
  { name: "kid", type: "number" },
];

export const regions: readonly string[] = Array.from({ length: 5 }, (_, code) => `region_${code}`);
