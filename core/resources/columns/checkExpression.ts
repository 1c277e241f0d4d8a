import { Value } from "typebox/value";
import { ApiError, type ResourceRow } from "../../base/index.ts";
import {
  compileExpression,
  ExpressionError,
  listReferences,
  readRole,
  type Reference,
  type ResolvedColumn,
} from "../../queries/index.ts";
import { DataType } from "../../../plugins/protocol/index.ts";
import type { HookCall, Values } from "../kernel/index.ts";

/**
 * Compiles the member `expression` of the accepted values over the columns that the caller may read. Returns the API
 * type of its values; undefined if the member is absent. Executes one SQL statement.
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
    const resolve = ({ datasetId, columnId }: Reference) => {
      // Only formulas can name a dataset in a role, because a derived column reads its own dataset.
      const role = kind === "formula" ? readRole(datasetId) : undefined;
      return resolved(role?.datasetId ?? datasetId, columns.get(columnId));
    };
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
  datasetId: string,
  column: ResourceRow<"column"> | undefined,
): ResolvedColumn | { readonly problem: string } | undefined {
  if (!column || column.securable_id !== datasetId.toLowerCase()) return undefined;
  if (column.expression) return { problem: "a derived column" };
  const { type, subtype } = column;
  if (!Value.Check(DataType, type)) return { problem: `a column of type ${String(type)}` };
  return { type, isDate: subtype === "date" };
}
