import { safeColor } from "../color/contrast.ts";
import { columnsIn, type Area, type Frame, type PlacedColumn } from "../frame/frame.ts";
import { objectOf } from "../item/readItem.ts";

/** Maximum number of slices that people can compare. Further slices are combined. */
const sliceCount = 6;

/** A slice of a pie or a ring. */
export interface Slice {
  /** Index of its row; undefined for the combined slice. */
  readonly row: number | undefined;
  readonly name: string;
  readonly color: string;
  readonly value: number;
}

/**
 * The slices of a pie or a ring, and their position. In wide areas the list of slices is to the right of the pie,
 * otherwise below it.
 */
export interface LaidSlices {
  readonly slices: readonly Slice[];
  readonly measure: PlacedColumn;
  readonly total: number;
  readonly isRing: boolean;
  readonly radius: number;
  /** Horizontal position of the pie's centre, in pixels. `y` is its vertical position. */
  readonly x: number;
  readonly y: number;
  /** Top left corner of the list of slices. */
  readonly list: Pick<Area, "x" | "y">;
}

/** Height of a slice's line in the list, in pixels. */
export const lineHeight = 24;

/** Computes the layout of an item's slices; undefined for an item without a measure. */
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

/** Returns a slice for each row of a category, or for each measure if there is no category. */
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

/** Returns the positive slices, largest first. A note says that negative values were left out. */
function positiveOf({ notes }: Frame, all: readonly Slice[]): readonly Slice[] {
  if (all.some(({ value }) => value < 0)) notes.push("< 0: –");
  return all.filter(({ value }) => value > 0).toSorted((one, other) => other.value - one.value);
}

/** Returns as many of the largest slices as the options allow, and one combined slice for all others. */
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
