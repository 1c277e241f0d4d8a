import { fsum } from "d3-array";
import { safeColor } from "../color/contrast.ts";
import { readColor } from "../color/readColor.ts";
import { numberFormat } from "../format/numberFormats.ts";
import { drawLegend } from "../frame/drawLegend.ts";
import { columnsIn, type Frame, type PlacedColumn } from "../frame/frame.ts";
import { countText, sayCut, sayNotPositive } from "../frame/sayCut.ts";
import { valueColors } from "../frame/valueColors.ts";
import { isAdditive } from "../item/combine.ts";
import { isByValue } from "../item/queryOf.ts";
import { objectOf } from "../item/readItem.ts";

/** A part of a whole, as shown in treemaps, packed circles and funnels. */
export interface Part {
  /** Index of its row; undefined for the groups that the answer leaves out. */
  readonly row: number | undefined;
  readonly name: string;
  /** The value in the slot `color`; empty without this slot. */
  readonly group: string;
  readonly color: string;
  /** The value, which is always greater than 0. */
  readonly value: number;
}

/**
 * Reads the rows as parts and draws the legend of their groups. Groups that the answer leaves out are one part if their
 * value is known. A note counts them, and the values that are not positive.
 */
export function partsOf(frame: Frame): {
  readonly measure: PlacedColumn | undefined;
  readonly parts: readonly Part[];
} {
  const { rows, request } = frame;
  const { theme } = request;
  const [category] = columnsIn(frame, "category");
  const [group] = columnsIn(frame, "color");
  const [measure] = columnsIn(frame, "measure");
  const { options } = request.item;
  const isColored = objectOf<"colored">(options.categories).colored === true;
  const main = readColor(options.color, theme.background) ?? theme.series[0] ?? "";
  const colored = group ?? (isColored ? category : undefined);
  const colorOf = colored && valueColors(frame, colored);
  const parts: Part[] = rows.flatMap((row, index) => {
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
          ? (colorOf?.(groupCell) ?? "")
          : isColored
            ? (colorOf?.(cell) ?? "")
            : (own ?? main),
        value,
      },
    ];
  });
  const groupCount = parts.length;
  if (measure) sayNotPositive(frame, measure);
  const { positive } = request.leftOut ?? {};
  const value =
    measure && isAdditive(measure.field) ? measure.number(positive?.cells[measure.cell]) : null;
  if (positive && measure && value !== null && value > 0) {
    const name = `${frame.words.other} (${countText(frame, positive.count)})`;
    parts.push({ row: undefined, name, group: frame.words.other, color: theme.axis, value });
    const whole = fsum(parts, (part) => part.value);
    sayCut(frame, {
      name: category?.name ?? "",
      shown: groupCount,
      count: groupCount + positive.count,
      isTop: isByValue(request.item),
      rest: { share: value / whole, measure: measure.name },
    });
  }
  if (group) {
    const entries = new Map(
      parts.map((part) => [part.group, { name: part.group, color: part.color }]),
    );
    drawLegend(frame, [...entries.values()]);
  }
  return { measure, parts };
}

/**
 * Returns what is written below the name of a part: its value, its share of all parts, or nothing, as an option of the
 * item says. Without the option, its value.
 */
export function valueText(
  { request }: Frame,
  {
    measure,
    parts,
  }: { readonly measure: PlacedColumn | undefined; readonly parts: readonly Part[] },
  wanted: unknown,
): (part: Part) => string {
  const share = numberFormat({ format: ".1%" }, request.localeId);
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  return ({ value }) => {
    if (wanted === "none") return "";
    if (wanted === "percentage") return total > 0 ? share(value / total) : "";
    return measure ? measure.text(value) : "";
  };
}
