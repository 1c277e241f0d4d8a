import type { Expression, Level } from "../../../plugins/protocol/index.ts";

/** Returns the start of a datetime's period. */
export function periodStart(value: Expression, level: Level, timezone: string): Expression {
  const literal = (text: string): Expression => ({
    kind: "literal",
    type: "hierarchy",
    value: text,
  });
  return {
    kind: "call",
    function: "dateTrunc",
    args: [literal(level), value, literal(timezone)],
  };
}
