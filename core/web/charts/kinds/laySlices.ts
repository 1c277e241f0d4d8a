import { safeColor } from "../color/contrast.ts";
import { columnsIn, type Area, type Frame, type PlacedColumn } from "../frame/frame.ts";
import { objectOf } from "../item/readItem.ts";

/** Slices that people can compare; the others are one. */
const sliceCount = 6;

export interface Slice {
  /** Its row; undefined for the slice of all others. */
  readonly row: number | undefined;
  readonly name: string;
  readonly color: string;
  readonly value: number;
}

/** The slices of a pie or a ring, and where it is; its list is beside it where the area is wide, else below it. */
export interface LaidSlices {
  readonly slices: readonly Slice[];
  readonly measure: PlacedColumn;
  readonly total: number;
  readonly isRing: boolean;
  readonly radius: number;
  /** The middle of the pie. */
  readonly x: number;
  readonly y: number;
  /** Where the list of slices begins. */
  readonly list: Pick<Area, "x" | "y">;
}

/** Pixels of a slice in the list. */
export const lineHeight = 24;

/** Places the slices of an item; undefined for an item without a measure. */
export function laySlices(frame: Frame): LaidSlices | undefined {
  const [measure] = columnsIn(frame, "measure");
  if (!measure) return undefined;
  const { area, request } = frame;
  const slices = largestOf(frame, positiveOf(frame, allOf(frame, measure)));
  const isWide = area.width > area.height * 1.15;
  const listHeight = slices.length * lineHeight;
  const radius = Math.max(
    10,
    Math.min(
      (isWide ? area.width * 0.45 : area.width) / 2,
      (isWide ? area.height : area.height - listHeight - 12) / 2,
      160,
    ),
  );
  const [x, y] = isWide
    ? [area.x + radius, area.y + area.height / 2]
    : [area.x + area.width / 2, area.y + radius];
  return {
    slices,
    measure,
    total: slices.reduce((sum, { value }) => sum + value, 0),
    isRing: request.item.options.mode !== "pie",
    radius,
    x,
    y,
    list: isWide
      ? { x: x + radius + 28, y: y - listHeight / 2 }
      : { x: area.x, y: y + radius + 16 },
  };
}

/** A slice for each row of a category, or for each measure where there is none. */
function allOf(frame: Frame, measure: PlacedColumn): readonly Slice[] {
  const { rows, request } = frame;
  const { theme, colors } = request;
  const [category] = columnsIn(frame, "category");
  if (category)
    return rows.map((row, index) => ({
      row: index,
      name: category.text(row[category.cell]),
      color: colors.of(
        category.field.columnId ?? "",
        category.key(row[category.cell]),
        category.color(row[category.cell]),
      ),
      value: measure.number(row[measure.cell]) ?? 0,
    }));
  return columnsIn(frame, "measure").map((each, index) => ({
    row: 0,
    name: each.name,
    color: safeColor(each.field.color) ?? theme.series[index % theme.series.length] ?? "",
    value: each.number(rows[0]?.[each.cell]) ?? 0,
  }));
}

/** The slices that a pie can show, largest first; a note says that there are negative ones. */
function positiveOf({ notes }: Frame, all: readonly Slice[]): readonly Slice[] {
  if (all.some(({ value }) => value < 0)) notes.push("< 0: –");
  return all.filter(({ value }) => value > 0).toSorted((one, other) => other.value - one.value);
}

/** The largest slices, as many as the options say, and one of all others. */
function largestOf({ request, words }: Frame, slices: readonly Slice[]): readonly Slice[] {
  const { maxNumber } = objectOf(request.item.options.slices);
  const most =
    typeof maxNumber === "number" && maxNumber > 1 ? Math.min(maxNumber, 10) : sliceCount;
  if (slices.length <= most) return slices;
  const rest = slices.slice(most - 1);
  return [
    ...slices.slice(0, most - 1),
    {
      row: undefined,
      name: `${words.other} (${rest.length})`,
      color: request.theme.axis,
      value: rest.reduce((sum, { value }) => sum + value, 0),
    },
  ];
}
