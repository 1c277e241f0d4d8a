import { type ApiCall, ApiError } from "../../base/index.ts";
import { numericIdsOf, openUrlOf } from "../answers/openUrl.ts";
import { writeExpression } from "../answers/writeExpression.ts";
import type { AssistantParts } from "../assistantParts.ts";
import { datasetsOf, idsOf, localeOf, membersOf, questionOf, timezoneOf } from "./readRequest.ts";

/**
 * Handles `iqformula`: writes a formula or derived column from a description in words. Returns the properties for
 * `create` of `formula` or `column`, a query for the result, and rows of the result. Stores nothing.
 * @throws {ApiError} ASSISTANT_CANNOT if the model finds no expression, MEMBER_MISSING, MEMBER_INVALID,
 * RECORD_NOT_FOUND; the errors of `CallModel`
 */
export async function iqFormula(call: ApiCall, parts: AssistantParts): Promise<object> {
  const members = membersOf<"dataset_id" | "locale_id" | "prompt" | "timezone_id" | "kind">(call);
  const { kind = "formula" } = members;
  if (kind !== "formula" && kind !== "column")
    throw new ApiError("MEMBER_INVALID", ["properties.kind", "must be formula or column"]);
  const path = "properties.dataset_id";
  if (members.dataset_id === undefined)
    throw new ApiError("MEMBER_MISSING", [path, "the id of a dataset"]);
  const ids = idsOf(members.dataset_id, path);
  const text = questionOf(members.prompt, "properties.prompt");
  const { localeId } = localeOf(members.locale_id);
  const [dataset] = await datasetsOf(ids.slice(0, 1), call, parts, localeId);
  if (!dataset) throw new ApiError("MEMBER_MISSING", [path, "the id of a dataset"]);
  const wanted = { kind, text, dataset, localeId, ...timezoneOf(members.timezone_id) } as const;
  const written = await writeExpression(wanted, call, parts);
  const language = localeId?.split("-")[0] ?? "en";
  const { name, description, expression, type, columns, rows, isCut, query } = written;
  const shown = { publicUrl: parts.publicUrl(), numericIds: numericIdsOf([dataset]) };
  const url = openUrlOf({ query }, shown);
  return {
    [kind]: {
      name: { [language]: name },
      description: { [language]: description },
      expression,
      type,
    },
    query,
    result: { columns, rows, is_cut: isCut },
    struck_count: written.struckCount,
    ...(url !== undefined && { open_url: url }),
  };
}
