import {
  aggregationDefinitions,
  aggregations,
  everyOperator,
  levels,
  type Capabilities,
} from "../protocol/index.ts";

/**
 * All capabilities that `compileQuery` supports with a dialect that can write every part of a statement, except
 * `groupLimit`. A dialect claims `groupLimit` itself if its database has `row_number() over (partition by … order by
 * …)`, and `corr` if it can write it.
 */
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
