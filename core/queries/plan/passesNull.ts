import {
  operatorDefinitions,
  positiveOf,
  type ColumnFilter,
  type OperatorTest,
} from "../../../plugins/protocol/index.ts";

/** Returns whether null passes a test. */
export function passesNull({ expression, value = [] }: ColumnFilter): boolean {
  const isNegated = positiveOf(expression) !== expression;
  return passesPositive(operatorDefinitions[expression].tests, value.includes(null)) !== isNegated;
}

function passesPositive(tests: OperatorTest, isNullListed: boolean): boolean {
  switch (tests) {
    case "equality":
      return isNullListed;
    case "null":
      return true;
    case "order":
    case "part":
      return false;
  }
}
