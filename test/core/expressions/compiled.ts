import {
  compileExpression,
  type CompiledExpression,
  type ResolvedColumn,
} from "../../../core/expressions/index.ts";
import { evaluate } from "../../../core/expressions/evaluate.ts";
import type { Value } from "../../../core/expressions/portable.ts";

/** Columns of the dataset D, by id. */
const columns: ReadonlyMap<string, ResolvedColumn> = new Map([
  ["n", { type: "number" }],
  ["m", { type: "number" }],
  ["s", { type: "text" }],
  ["t", { type: "text" }],
  ["w", { type: "datetime" }],
  ["v", { type: "datetime" }],
  ["d", { type: "datetime", isDate: true }],
]);

/** A Friday evening. */
export const nowMs = Date.UTC(2024, 1, 9, 23, 30);

export type Cells = Readonly<Record<string, Value>>;

/** Compiles over the columns `{D:n}`, `{D:m}` (numbers), `{D:s}`, `{D:t}` (texts), `{D:w}`, `{D:v}` (instants), `{D:d}` (a date). */
export function compiled(
  source: string,
  timezone = "UTC",
  kind: "column" | "formula" = "column",
): CompiledExpression {
  return compileExpression(source, {
    kind,
    timezone,
    resolve({ datasetId, columnId }) {
      if (columnId === "sum") return { problem: "a derived column" };
      return datasetId === "D" ? columns.get(columnId) : undefined;
    },
  });
}

/** The value of a column expression over one row; cells that are left out are null. */
export function valueOf(source: string, cells: Cells = {}, timezone?: string): Value {
  const { value } = compiled(source, timezone);
  return evaluate(value, { column: ({ columnId }) => cells[columnId] ?? null, nowMs });
}
