import type { ChartCell } from "../answer/chartRequest.ts";
import { safeColor } from "../color/contrast.ts";
import { assignColors } from "../color/createColors.ts";
import type { Frame, PlacedColumn } from "./frame.ts";

/**
 * Returns the colours of the values of a column. If the values of the column are not listed, the values of the answer
 * are used, so that they differ within the picture. O(rows).
 */
export function valueColors(
  { request: { colors, theme }, rows }: Frame,
  column: PlacedColumn,
): (cell: ChartCell | undefined) => string {
  const id = column.field.columnId ?? "";
  if (colors.isListed(id)) return (cell) => colors.of(id, column.key(cell), column.color(cell));
  const keys = new Set(rows.map((row) => column.key(row[column.cell])));
  const own = assignColors(theme.series, [...keys].toSorted());
  return (cell) =>
    safeColor(column.color(cell)) ?? own.get(column.key(cell)) ?? colors.of(id, column.key(cell));
}
