import {
  dataTypes,
  type Capabilities,
  type DataType,
  type Narrowing,
} from "../../plugins/protocol/index.ts";
import type { ApiFilter } from "./description.ts";

/** Operators that a description may declare. */
const apiOperators = ["=", "<", "<=", ">", ">=", "in"] as const;

const ordered: readonly DataType[] = ["numeric", "datetime"];

/** Rows with the columns that are asked for, and the tests that a description declares. */
export const capabilities: Capabilities = {
  projection: true,
  filters: {
    operators: {},
    superset: {
      "=": [...dataTypes],
      in: [...dataTypes],
      "<": [...ordered],
      "<=": [...ordered],
      ">": [...ordered],
      ">=": [...ordered],
    },
  },
};

/** Returns what does not hold for a column with these filters. */
export function narrowingOf(filters: readonly ApiFilter[]): Narrowing {
  const undeclared = apiOperators.filter(
    (operator) => !filters.some((each) => each.operator === operator),
  );
  return {
    filters: Object.fromEntries(undeclared.map((operator) => [operator, "none" as const])),
    reason: "the description of the API declares no such filter",
  };
}
