import { fsum } from "d3-array";
import { safeColor } from "../color/contrast.ts";
import { columnsIn, type Area, type Frame, type PlacedColumn } from "../frame/frame.ts";
import { countText, sayCut, sayNotPositive } from "../frame/sayCut.ts";
import { valueColors } from "../frame/valueColors.ts";
import { combine, isCombinable } from "../item/combine.ts";
import { mostSlices } from "../item/mostSlices.ts";
import { objectOf } from "../item/readItem.ts";
import { fillIn } from "../words/templates.ts";

/** A slice of a pie or a ring. */
export interface Slice {
  /** Key of its category; empty without a category. */
  readonly key: string;
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
  /** The measure over everything that is drawn; null if it does not follow from the slices, and no host computed it. */
  readonly total: number | null;
  /** The sum of the slices, whose angles are shares of it. */
  readonly shareSum: number;
  readonly isRing: boolean;
  /** Whether the slices form half a circle. */
  readonly isHalf: boolean;
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
  const slices = largestOf(frame, positiveOf(frame, allOf(frame, measure), measure), measure);
  const { display, slices: look } = request.item.options;
  const isHalf = objectOf<"half">(look).half === true;
  const isListed = objectOf<"legend">(display).legend !== false;
  const isWide = isListed && area.width > area.height * 1.15;
  const listHeight = isListed ? slices.length * lineHeight : 0;
  // Half a circle needs half the height of its diameter.
  const heightRoom = (isWide ? area.height : area.height - listHeight - 12) / (isHalf ? 1 : 2);
  const radius = Math.max(
    10,
    Math.min(
      (isWide ? area.width * 0.45 : area.width) / 2,
      isHalf ? heightRoom - 26 : heightRoom,
      160,
    ),
  );
  const middle = area.y + area.height / 2 + (isHalf ? radius / 2 : 0);
  const [x, y] = isWide ? [area.x + radius, middle] : [area.x + area.width / 2, area.y + radius];
  return {
    slices,
    measure,
    total: totalOf(frame, measure, slices),
    shareSum: fsum(slices, ({ value }) => value),
    isRing: request.item.options.mode !== "pie",
    isHalf,
    radius,
    x,
    y,
    list: isWide
      ? { x: x + radius + 28, y: area.y + area.height / 2 - listHeight / 2 }
      : { x: area.x, y: y + (isHalf ? 26 : radius) + 16 },
  };
}

function totalOf(
  { request }: Frame,
  measure: PlacedColumn,
  slices: readonly Slice[],
): number | null {
  const whole = measure.number(request.whole?.[measure.cell]);
  return (
    whole ??
    combine(
      measure.field,
      slices.map(({ value }) => value),
    )
  );
}

/** Returns a slice for each row of a category, or for each measure if there is no category. */
function allOf(frame: Frame, measure: PlacedColumn): readonly Slice[] {
  const { rows, request } = frame;
  const { theme } = request;
  const [category] = columnsIn(frame, "category");
  const colorOf = category && valueColors(frame, category);
  if (category && colorOf)
    return rows.map((row, index) => ({
      key: category.key(row[category.cell]),
      row: index,
      name: category.text(row[category.cell]),
      color: colorOf(row[category.cell]),
      value: measure.number(row[measure.cell]) ?? 0,
    }));
  return columnsIn(frame, "measure").map((each, index) => ({
    key: "",
    row: 0,
    name: each.name,
    color: safeColor(each.field.color) ?? theme.series[index % theme.series.length] ?? "",
    value: each.number(rows[0]?.[each.cell]) ?? 0,
  }));
}

/** Returns the positive slices, largest first. A note says which values were left out. */
function positiveOf(frame: Frame, all: readonly Slice[], measure: PlacedColumn): readonly Slice[] {
  const { request } = frame;
  const [category] = columnsIn(frame, "category");
  // The host has combined the values that are not above 0 with the others.
  if (category && !request.folded) sayNotPositive(frame, measure);
  else if (!category && all.some(({ value }) => !(value > 0))) {
    const { words, notes } = frame;
    const names = all.flatMap(({ name, value }) => (value > 0 ? [] : [name]));
    notes.push(fillIn(words.notShown, { names: names.join(words.comma) }));
  }
  const kept = request.folded?.kept;
  return all
    .filter(({ value, key }) => value > 0 && (kept === undefined || kept.has(key)))
    .toSorted((one, other) => other.value - one.value);
}

/**
 * Returns as many of the largest slices as the options allow, and one slice for all others together with the groups
 * that the answer leaves out.
 */
function largestOf(
  frame: Frame,
  slices: readonly Slice[],
  measure: PlacedColumn,
): readonly Slice[] {
  const { request, words } = frame;
  const { item, folded, leftOut } = request;
  const most = mostSlices(item);
  const outside = leftOut?.positive?.count ?? 0;
  const beyond = measure.number(leftOut?.positive?.cells[measure.cell]);
  const sliceOf = (count: number, value: number): Slice => ({
    key: "",
    row: undefined,
    name: `${words.other} (${countText(frame, count)})`,
    color: request.theme.axis,
    value,
  });
  if (folded) {
    const value = measure.number(folded.rows?.[0]?.[measure.cell]);
    if (value !== null && value > 0) return [...slices, sliceOf(folded.count + outside, value)];
    const [category] = columnsIn(frame, "category");
    const count = slices.length + folded.count + outside;
    sayCut(frame, { name: category?.name ?? "", shown: slices.length, count, isTop: true });
    return slices;
  }
  const isFolding = slices.length > most || (beyond !== null && beyond > 0);
  if (!isFolding) return slices;
  // Values that nobody can add up are combined by the host: see `folded`.
  const kept = slices.slice(0, slices.length > most ? most - 1 : most);
  const rest = slices.slice(kept.length);
  if (!isCombinable(measure.field)) {
    const [category] = columnsIn(frame, "category");
    const count = slices.length + outside;
    sayCut(frame, { name: category?.name ?? "", shown: kept.length, count, isTop: true });
    return kept;
  }
  const value = combine(measure.field, [...rest.map((slice) => slice.value), beyond]);
  if (leftOut?.positive) frame.isCutSaid = true;
  return value === null ? kept : [...kept, sliceOf(rest.length + outside, value)];
}
