import type { ColumnFilter } from "../../../plugins/protocol/index.ts";

/** Returns whether null passes a test. */
export function passesNull({ expression, value = [] }: ColumnFilter): boolean {
  switch (expression) {
    case "=":
    case "in":
      return value.includes(null);
    case "!=":
    case "not in":
      return !value.includes(null);
    case "is null":
      return true;
    case "is not null":
      return false;
    default:
      return expression.startsWith("not ");
  }
}
