import {
  operatorDefinitions,
  type Operator,
  type OperatorDefinition,
} from "../../../plugins/protocol/index.ts";
import type { ColumnOperator } from "../parsedQuery.ts";

/** Returns how many values an operator requires. */
export function valuesOf(operator: Operator | "between"): OperatorDefinition["values"] | "pair" {
  return operator === "between" ? "pair" : operatorDefinitions[operator].values;
}

/** Returns whether an operator compares its first operand with another operand. */
export function isColumnOperator(operator: Operator | "between"): operator is ColumnOperator {
  return valuesOf(operator) !== "none";
}
