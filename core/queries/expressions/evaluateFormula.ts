import { aggregate, protocolSemantics } from "../../../plugins/conformance/index.ts";
import type { Expression } from "../../../plugins/protocol/index.ts";
import type { FormulaAggregate } from "./aggregates.ts";
import type { CompiledExpression } from "./compileExpression.ts";
import { evaluate, type Value } from "../../../plugins/meanings/index.ts";

/** Returns the value of a column in one row, by the column's id. */
export type Row = (columnId: string) => Value;

/**
 * Computes a formula over the rows of one group. This function defines the meaning of every aggregate. O(rows · log
 * rows).
 */
export function evaluateFormula(
  { value, aggregates }: Pick<CompiledExpression, "value" | "aggregates">,
  rows: readonly Row[],
): Value {
  const results = aggregates.map((each) => fold(each, rows));
  return evaluate(value, (index) => results[Number(index)] ?? null);
}

function fold(
  { aggregation, of, fraction = 0.5, other }: FormulaAggregate,
  rows: readonly Row[],
): Value {
  if (!of) return rows.length;
  const cellsOf = (expression: Expression) =>
    rows.map((column) => {
      const cell = evaluate(expression, column);
      return typeof cell === "boolean" ? null : cell;
    });
  const seconds = other ? cellsOf(other) : [];
  return aggregate(cellsOf(of.expression), { aggregation, fraction }, seconds, protocolSemantics);
}
