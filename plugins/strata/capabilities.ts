import {
  aggregations,
  functions,
  levels,
  operators,
  type Capabilities,
  type DataType,
} from "../protocol/index.ts";

const everyType: readonly DataType[] = ["numeric", "datetime", "hierarchy"];
const textOnly = new Set<string>([
  "like",
  "not like",
  "starts with",
  "not starts with",
  "ends with",
  "not ends with",
]);

/** Capabilities of the store: it does all of the protocol, exactly as defined. */
export const capabilities: Capabilities = {
  projection: true,
  filters: {
    operators: Object.fromEntries(
      operators.map((operator) => [
        operator,
        textOnly.has(operator) ? ["hierarchy"] : [...everyType],
      ]),
    ),
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
