import { evaluate } from "../../plugins/meanings/evaluate.ts";
import type { Cell, Expression, ExpressionType } from "../../plugins/protocol/index.ts";

type Value = ReturnType<typeof evaluate>;

/** Computes a derived column's cell from the cells of a row, with the reference semantics of the language. */
export function plainExpression(
  expression: Expression,
  type: ExpressionType,
  cellOf: (columnId: string) => { readonly type: ExpressionType; readonly cell: Cell },
): Cell {
  const value = evaluate(expression, (columnId) => {
    const { type: own, cell } = cellOf(columnId);
    return valueOf(own, cell);
  });
  if (typeof value === "boolean") throw new TypeError("a derived column must not be a condition");
  return type === "datetime" && typeof value === "number" ? new Date(value).toISOString() : value;
}

function valueOf(type: ExpressionType, cell: Cell): Value {
  return type === "datetime" && typeof cell === "string" ? Date.parse(cell) : cell;
}
