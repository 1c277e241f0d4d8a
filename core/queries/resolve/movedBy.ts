import type { Expression, Level } from "../../../plugins/protocol/index.ts";

/** Returns a datetime moved by a number of periods on the clock of a time zone. */
export function movedBy(
  value: Expression,
  unit: Level,
  count: number,
  timezone: string,
): Expression {
  return {
    kind: "call",
    function: "dateAdd",
    args: [
      { kind: "literal", type: "hierarchy", value: unit },
      { kind: "literal", type: "numeric", value: count },
      value,
      { kind: "literal", type: "hierarchy", value: timezone },
    ],
  };
}
