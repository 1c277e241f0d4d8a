import { safeColor } from "../color/contrast.ts";
import { drawLegend } from "../frame/drawLegend.ts";
import { columnsIn, type Frame, type PlacedColumn } from "../frame/frame.ts";

/** A part of a whole, as shown in treemaps, packed circles and funnels. */
export interface Part {
  readonly row: number;
  readonly name: string;
  /** The value in the slot `color`; empty without this slot. */
  readonly group: string;
  readonly color: string;
  /** The value, which is always greater than 0. */
  readonly value: number;
}

/** Reads the rows as parts and draws the legend of their groups. Values that are not positive are counted in a note. */
export function partsOf(frame: Frame): {
  readonly measure: PlacedColumn | undefined;
  readonly parts: readonly Part[];
} {
  const { rows, request } = frame;
  const { colors, theme } = request;
  const [category] = columnsIn(frame, "category");
  const [group] = columnsIn(frame, "color");
  const [measure] = columnsIn(frame, "measure");
  const parts = rows.flatMap((row, index) => {
    const value = measure ? (measure.number(row[measure.cell]) ?? 0) : 1;
    if (!(value > 0)) return [];
    const cell = category && row[category.cell];
    const groupCell = group && row[group.cell];
    const own = safeColor(category?.color(cell));
    return [
      {
        row: index,
        name: category ? category.text(cell) : "",
        group: group ? group.text(groupCell) : "",
        color: group
          ? colors.of(group.field.columnId ?? "", group.key(groupCell), group.color(groupCell))
          : (own ?? theme.series[0] ?? ""),
        value,
      },
    ];
  });
  if (parts.length < rows.length) frame.notes.push(`≤ 0: ${rows.length - parts.length}`);
  if (group) {
    const entries = new Map(
      parts.map((part) => [part.group, { name: part.group, color: part.color }]),
    );
    drawLegend(frame, [...entries.values()]);
  }
  return { measure, parts };
}
