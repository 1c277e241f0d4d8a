import {
  aggregationDefinitions,
  aggregations,
  levels,
  type Capabilities,
  type DataType,
} from "../protocol/index.ts";

const everyType: readonly DataType[] = ["numeric", "datetime", "hierarchy"];
const textOnly: readonly DataType[] = ["hierarchy"];

/** Everything that `compileQuery` can push down to a dialect that writes all of it. */
export const sqlCapabilities = {
  projection: true,
  filters: {
    operators: {
      "=": everyType,
      "!=": everyType,
      "<": everyType,
      "<=": everyType,
      ">": everyType,
      ">=": everyType,
      in: everyType,
      "not in": everyType,
      like: textOnly,
      "not like": textOnly,
      "starts with": textOnly,
      "not starts with": textOnly,
      "ends with": textOnly,
      "not ends with": textOnly,
      "is null": everyType,
      "is not null": everyType,
    },
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
