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

/** The connector reads only the requested columns, and sends filters that a description declares. */
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

/** Returns the capabilities that a column lacks if the description declares only the given filters for the column. */
export function narrowingOf(filters: readonly ApiFilter[]): Narrowing {
  const undeclared = apiOperators.filter(
    (operator) => !filters.some((each) => each.operator === operator),
  );
  return {
    filters: Object.fromEntries(undeclared.map((operator) => [operator, "none" as const])),
    reason: "the API's description does not declare this filter",
  };
}
