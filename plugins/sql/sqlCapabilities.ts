import {
  aggregationDefinitions,
  aggregations,
  everyOperator,
  levels,
  type Capabilities,
} from "../protocol/index.ts";

/** All capabilities that `compileQuery` supports, given a dialect that can write every part of a statement. */
export const sqlCapabilities = {
  projection: true,
  filters: {
    operators: everyOperator,
    nested: true,
    levels: true,
  },
  grouping: {
    aggregations: aggregations.filter((name) => aggregationDefinitions[name].ofOneGroup),
    levels,
    timezones: true,
  },
  levelsAnywhere: true,
  bins: true,
  having: true,
  order: true,
  limit: true,
} as const satisfies Capabilities;
