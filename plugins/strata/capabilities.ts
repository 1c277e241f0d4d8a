import {
  aggregations,
  everyOperator,
  functions,
  levels,
  type Capabilities,
} from "../protocol/index.ts";

/** Capabilities of the store: it does all of the protocol, exactly as defined. */
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
  joinFilters: true,
  having: true,
  order: true,
  limit: true,
  write: true,
  temporary: true,
};
