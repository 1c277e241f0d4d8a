import { levels, type Capabilities, type DataType } from "../../plugins/protocol/index.ts";

const all: readonly DataType[] = ["numeric", "datetime", "hierarchy"];
const text: readonly DataType[] = ["hierarchy"];

/** What statements of SQLite answer exactly. */
export const capabilities: Capabilities = {
  projection: true,
  filters: {
    operators: {
      "=": all,
      "!=": all,
      "<": all,
      "<=": all,
      ">": all,
      ">=": all,
      in: all,
      "not in": all,
      like: text,
      "not like": text,
      "starts with": text,
      "not starts with": text,
      "ends with": text,
      "not ends with": text,
      "is null": all,
      "is not null": all,
    },
    nested: true,
    levels: true,
  },
  grouping: {
    aggregations: [
      "sum",
      "min",
      "max",
      "count",
      "distinctcount",
      "average",
      "median",
      "percentile",
      "stddev",
      "weightedaverage",
    ],
    levels,
    timezones: true,
  },
  levelsAnywhere: true,
  bins: true,
  having: true,
  order: true,
  limit: true,
};
