import {
  aggregationDefinitions,
  aggregations,
  everyOperator,
  levels,
  type Capabilities,
} from "../protocol/index.ts";

/** Everything that `compileQuery` can push down to a dialect that can write all of it. */
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
