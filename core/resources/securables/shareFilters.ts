import { ApiError, type ResourceRow } from "../../base/index.ts";
import { parseRowFilter } from "../../queries/index.ts";
import type { HookCall, Link, Values } from "../kernel/index.ts";
import { checkFilters } from "../../identity/index.ts";

const path = "properties.filters";

/**
 * Checks the filters of a link of a dataset against its columns, as a query will. Parameters may stay unset:
 * the users under the filters set them.
 * @throws {ApiError} MEMBER_INVALID for a filter of another dataset and for filters on a dashboard, which has no rows;
 * what `checkFilters` throws
 */
export async function checkLinkFilters(
  securable: ResourceRow<"securable">,
  values: Values,
  { context, principal }: HookCall,
): Promise<void> {
  const { filters: given } = values;
  if (!Array.isArray(given)) return;
  if (securable.type !== "dataset")
    throw new ApiError("MEMBER_INVALID", [
      path,
      "must be left out for a dashboard, which has no rows: share its datasets with filters",
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

/** Returns whether a link may carry filters. */
export function carriesFilters({ fields = {} }: Link): boolean {
  return Object.hasOwn(fields, "filters");
}
