import {
  compileExpression,
  type CompiledExpression,
  type ResolvedColumn,
} from "../../../../core/queries/expressions/index.ts";
import { evaluate } from "../../../../plugins/meanings/evaluate.ts";
import type { Value } from "../../../../plugins/meanings/value.ts";

/** The columns of the dataset D, by id. */
const columns: ReadonlyMap<string, ResolvedColumn> = new Map([
  ["n", { type: "numeric" }],
  ["m", { type: "numeric" }],
  ["s", { type: "hierarchy" }],
  ["t", { type: "hierarchy" }],
  ["w", { type: "datetime" }],
  ["v", { type: "datetime" }],
  ["d", { type: "datetime", isDate: true }],
  [
    "c",
    { type: "datetime", expression: { kind: "literal", type: "datetime", value: "2024-01-01" } },
  ],
]);

/** The time of the request: a Friday evening. */
export const nowMs = Date.UTC(2024, 1, 9, 23, 30);

export type Cells = Readonly<Record<string, Value>>;

/**
 * Compiles a source over the columns `{D:n}`, `{D:m}` (numbers), `{D:s}`, `{D:t}` (strings), `{D:w}`, `{D:v}`
 * (instants), `{D:d}` (a date) and `{D:c}` (a literal).
 */
export function compiled(
  source: string,
  timezone = "UTC",
  kind: "column" | "formula" = "column",
): CompiledExpression {
  return compileExpression(source, {
    kind,
    timezone,
    nowMs,
    resolve({ datasetId, columnId }) {
      if (columnId === "sum") return { problem: "a derived column" };
      return datasetId === "D" ? columns.get(columnId) : undefined;
    },
  });
}

/** Returns the value of a column expression for one row. Missing cells are null. */
export function valueOf(source: string, cells: Cells = {}, timezone?: string): Value {
  const { value } = compiled(source, timezone);
  return evaluate(value, (columnId) => cells[columnId] ?? null);
}
