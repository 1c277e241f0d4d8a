import { isGroup, type ColumnFilter, type Filter } from "../../plugins/protocol/index.ts";
import type { ApiDataset } from "./description.ts";

/**
 * Returns URL parameters for those filters of a query that the description declares. A filter is left out if another
 * filter already uses its parameter, if its list is empty or contains null, or if a string contains a comma. This is
 * safe, because the host tests all rows again.
 */
export function pushedParameters(
  filters: readonly Filter[],
  { filters: declared = [] }: ApiDataset,
): readonly (readonly [name: string, value: string])[] {
  const parameters = new Map<string, string>();
  for (const filter of filters) {
    if (isGroup(filter) || filter.level) continue;
    const { column_id: column, expression } = filter;
    const found = declared.find((each) => each.column === column && each.operator === expression);
    const value = found && valueOf(filter);
    if (found && value !== undefined && !parameters.has(found.parameter))
      parameters.set(found.parameter, value);
  }
  return [...parameters];
}

function valueOf({ expression, value = [] }: ColumnFilter): string | undefined {
  const texts = value.map((cell) => (cell === null ? undefined : String(cell)));
  if (texts.length === 0 || texts.includes(undefined)) return undefined;
  if (expression !== "in") return texts[0];
  return texts.some((text) => text?.includes(",")) ? undefined : texts.join(",");
}
