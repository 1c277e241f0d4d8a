import {
  aggregations,
  functions,
  levels,
  operators,
  type Capabilities,
} from "../../plugins/protocol/index.ts";
import type { Random } from "./random.ts";

const types = ["numeric", "datetime", "hierarchy"] as const;

/**
 * Returns random capabilities. They include a fraction of about `share` of the operators, aggregations, levels and
 * functions.
 */
export function randomCapabilities(random: Random, share = 0.85): Capabilities {
  const flag = (chance = 0.65) => random.chance(chance);
  return {
    projection: flag(0.85),
    ...(flag(0.85) && {
      filters: {
        operators: Object.fromEntries(
          random.some(operators, share).map((operator) => [operator, random.some(types, share)]),
        ),
        nested: flag(),
        levels: flag(),
        listLength: random.pick([0, 1, 2, 1000]),
      },
    }),
    ...(flag(0.85) && {
      grouping: {
        aggregations: random.some(aggregations, share),
        levels: random.some(levels, share),
        timezones: flag(),
      },
    }),
    levelsAnywhere: flag(),
    bins: flag(),
    decimalBins: flag(),
    ...(flag() && { expressions: { functions: random.some(functions, Math.sqrt(share)) } }),
    joins: flag(),
    compositeJoins: flag(),
    joinFilters: flag(),
    having: flag(),
    order: flag(),
    groupLimit: flag(),
    cumulativePer: flag(),
    limit: flag(),
  };
}
