import { ApiError, type Principal } from "../../base/index.ts";
import { newColumns, newTarget } from "./matchColumns.ts";
import { type DecodeRows, parsePush } from "./parsePush.ts";

/** The columns of a push of type create, or the reason why the push would fail. */
export type DescribedPush =
  | {
      readonly valid: true;
      readonly columns: readonly Readonly<Record<string, unknown>>[];
      readonly warnings: readonly string[];
    }
  | { readonly valid: false; readonly message: string; readonly validation: object };

/**
 * Returns the columns that a push of type create would add, or the reason why the push would fail. Stores nothing.
 * @throws {ApiError} REQUEST_NOT_JSON if the rows were left as JSON and cannot be parsed
 */
export async function describePush(
  properties: unknown,
  { userId }: Principal,
  decode?: DecodeRows,
): Promise<DescribedPush> {
  try {
    const push = await parsePush(properties, { decode });
    if (push.type !== "create")
      throw new ApiError("MEMBER_INVALID", [
        "properties.type",
        `must be create, not ${push.type}: validate returns the columns of a new dataset`,
      ]);
    const { columns, warnings } = newColumns(push, "", userId);
    await push.rows.encode(columns.map(newTarget));
    push.rows.release();
    return { valid: true, columns: columns.map(presentColumn), warnings };
  } catch (failure) {
    // A body that is not JSON is a failed call, whether or not its rows were parsed with the other members.
    if (!(failure instanceof ApiError) || failure.code === "REQUEST_NOT_JSON") throw failure;
    return { valid: false, message: failure.message, validation: failure.validation ?? {} };
  }
}

function presentColumn(column: ReturnType<typeof newColumns>["columns"][number]) {
  const { source_name, name, type, subtype, format, informat, order } = column;
  return {
    source_name,
    name,
    order,
    type,
    subtype: subtype ?? null,
    format: format ?? null,
    informat: informat ?? null,
  };
}
