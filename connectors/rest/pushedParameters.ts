import {
  isGroup,
  millisecondsOf,
  type ColumnFilter,
  type Filter,
} from "../../plugins/protocol/index.ts";
import type { RowColumn } from "../../plugins/rows/index.ts";
import type { ApiDataset } from "./description.ts";

/**
 * Returns URL parameters for those filters of a query that the description declares. A filter is left out if another
 * filter already uses its parameter, if its list is empty or contains null, if a string contains a comma, or if the
 * column has a format in which the value cannot be written. This is safe, because the host tests all rows again.
 */
export function pushedParameters(
  filters: readonly Filter[],
  { filters: declared = [] }: ApiDataset,
  columns: readonly RowColumn[] = [],
): readonly (readonly [name: string, value: string])[] {
  const parameters = new Map<string, string>();
  for (const filter of filters) {
    if (isGroup(filter) || filter.level) continue;
    const { column_id: column, expression } = filter;
    const found = declared.find((each) => each.column === column && each.operator === expression);
    const format = columns.find(({ id }) => id === column)?.forms?.format;
    const value = found && valueOf(filter, format);
    if (found && value !== undefined && !parameters.has(found.parameter))
      parameters.set(found.parameter, value);
  }
  return [...parameters];
}

/** Milliseconds per unit of the formats in which a datetime can be sent. */
const epochUnitsMs: Readonly<Record<string, number>> = {
  "epoch seconds": 1000,
  "epoch milliseconds": 1,
};

function valueOf(
  { expression, value = [] }: ColumnFilter,
  format: string | undefined,
): string | undefined {
  const texts = value.map((cell) => {
    if (cell === null || format === undefined) return cell === null ? undefined : String(cell);
    const units = (millisecondsOf(String(cell)) ?? NaN) / (epochUnitsMs[format] ?? NaN);
    return Number.isInteger(units) ? String(units) : undefined;
  });
  if (texts.length === 0 || texts.includes(undefined)) return undefined;
  if (expression !== "in") return texts[0];
  return texts.some((text) => text?.includes(",")) ? undefined : texts.join(",");
}
