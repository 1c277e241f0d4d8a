import { Value } from "typebox/value";
import { ApiError, type ResourceRow } from "../../base/index.ts";
import {
  compileExpression,
  ExpressionError,
  listReferences,
  type Reference,
  type ResolvedColumn,
} from "../../queries/index.ts";
import { DataType } from "../../../plugins/protocol/index.ts";
import type { HookCall, Values } from "../kernel/index.ts";

/**
 * Compiles the `expression` among accepted values, over the columns that the caller may read, and returns its API type.
 * Returns undefined if there is no expression. Takes one statement.
 * @throws {ApiError} MEMBER_INVALID with line, column and the expected syntax under `validation.expression`
 */
export async function checkExpression(
  kind: "column" | "formula",
  values: Values,
  { context, principal }: Pick<HookCall, "context" | "principal">,
): Promise<{ readonly type?: string }> {
  const { expression } = values;
  if (typeof expression !== "string") return {};
  try {
    const ids = listReferences(expression).map(({ columnId }) => columnId);
    const columns = await context.records.visible("column", [...new Set(ids)], "read", principal);
    const resolve = (reference: Reference) => resolved(reference, columns.get(reference.columnId));
    return { type: compileExpression(expression, { kind, resolve }).type };
  } catch (failure) {
    if (!(failure instanceof ExpressionError)) throw failure;
    const { message } = failure;
    throw new ApiError("MEMBER_INVALID", ["properties.expression", message], {
      cause: failure,
      validation: { expression: [message] },
    });
  }
}

function resolved(
  { datasetId }: Reference,
  column: ResourceRow<"column"> | undefined,
): ResolvedColumn | { readonly problem: string } | undefined {
  if (!column || column.securable_id !== datasetId.toLowerCase()) return undefined;
  if (column.expression) return { problem: "a derived column" };
  const { type, subtype } = column;
  if (!Value.Check(DataType, type)) return { problem: `a column of type ${String(type)}` };
  return { type, isDate: subtype === "date" };
}
