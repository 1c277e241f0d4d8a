import {
  aggregations,
  everyOperator,
  functions,
  levels,
  type Capabilities,
} from "../protocol/index.ts";

/** The capabilities of the store, which carries out the whole protocol exactly. */
export const capabilities: Capabilities = {
  projection: true,
  filters: {
    operators: everyOperator,
    nested: true,
    levels: true,
  },
  grouping: { aggregations: [...aggregations], levels: [...levels], timezones: true },
  levelsAnywhere: true,
  bins: true,
  decimalBins: true,
  expressions: { functions: [...functions] },
  joins: true,
  compositeJoins: true,
  joinFilters: true,
  having: true,
  order: true,
  groupLimit: true,
  cumulativePer: true,
  limit: true,
  write: true,
  update: true,
  temporary: true,
};
