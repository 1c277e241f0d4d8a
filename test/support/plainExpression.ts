import { evaluate, type PortableExpression } from "../../core/expressions/index.ts";
import { portableFunctions } from "../../core/expressions/portableFunctions.ts";
import type { Cell, Expression } from "../../plugins/protocol/index.ts";

type Value = ReturnType<typeof evaluate>;

const valueTypes = {
  numeric: "number",
  hierarchy: "text",
  datetime: "datetime",
  boolean: "boolean",
} as const;

/** Computes a derived column of a row with the reference meaning of the language: cells in, a cell out. */
export function plainExpression(
  expression: Expression,
  type: keyof typeof valueTypes,
  cellOf: (columnId: string) => { readonly type: keyof typeof valueTypes; readonly cell: Cell },
): Cell {
  const tree = (part: Expression): PortableExpression => {
    if (part.kind === "literal")
      return { ...part, type: valueTypes[part.type], value: valueOf(part.type, part.value) };
    if (part.kind === "column") {
      const { type: own, cell } = cellOf(part.column_id);
      return { kind: "literal", type: valueTypes[own], value: valueOf(own, cell) };
    }
    const { result } = portableFunctions[part.function];
    const args = part.args.map(tree);
    const own = result === "T" ? (args.at(-1)?.type ?? "number") : result;
    return { kind: "call", type: own, function: part.function, args };
  };
  const value = evaluate(tree(expression), { nowMs: Number.NaN });
  if (typeof value === "boolean") throw new TypeError("a derived column is no test");
  return type === "datetime" && typeof value === "number" ? new Date(value).toISOString() : value;
}

function valueOf(type: keyof typeof valueTypes, value: Value): Value {
  return type === "datetime" && typeof value === "string" ? Date.parse(value) : value;
}
