import { ApiError, type ResourceRow } from "../../base/index.ts";
import { parseRowFilter } from "../../queries/index.ts";
import type { HookCall, Link, LinkChange } from "../kernel/index.ts";
import { checkFilters } from "../../identity/index.ts";

/**
 * Checks the filters of a dataset's link against the columns of the dataset, as a query does. Parameters may be unset,
 * because the users to whom the filters apply set them.
 * @throws {ApiError} MEMBER_INVALID for a filter of another dataset, and for filters on a dashboard, which has no rows;
 * the errors of `checkFilters`
 */
export async function checkLinkFilters(
  securable: ResourceRow<"securable">,
  { values, path: of }: Pick<LinkChange, "values" | "path">,
  { context, principal }: HookCall,
): Promise<void> {
  const { filters: given } = values;
  const path = `${of}.filters`;
  if (!Array.isArray(given)) return;
  if (securable.type !== "dataset")
    throw new ApiError("MEMBER_INVALID", [
      path,
      "must be omitted for a dashboard, which has no rows; share its datasets with filters instead",
    ]);
  const filters = given.map((filter: unknown, index) => {
    const parsed = parseRowFilter(filter, `${path}[${index}]`);
    if (parsed.securable_id !== securable.id)
      throw new ApiError("MEMBER_INVALID", [
        `${path}[${index}].securable_id`,
        "must be the dataset of the association",
      ]);
    return parsed;
  });
  const { records } = context;
  await checkFilters(filters, new Map(), { records, principal, isComplete: false }, path);
}

/** Returns whether a link can have filters. */
export function carriesFilters({ fields = {} }: Link): boolean {
  return Object.hasOwn(fields, "filters");
}
