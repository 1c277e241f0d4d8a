import type { ChartColumn } from "../answer/chartColumn.ts";
import type { ChartCell } from "../answer/chartRequest.ts";
import { timeScale, type TimeScale } from "../axes/timeScale.ts";

/** The position of a category or of a gap on the axis of the categories. */
export interface AxisPosition {
  /** Index of the category; undefined for a gap. */
  readonly index: number | undefined;
  /** Position as a share of the axis. */
  readonly at: number;
}

/** The positions of categories and gaps on their axis. */
export interface PlacedCategories {
  /** In the order of the axis. The first and the last period of a gap have a position without a category. */
  readonly places: readonly AxisPosition[];
  /** Length of a category as a share of the axis. */
  readonly step: number;
  /** The periods of the axis; undefined if the categories are not times. */
  readonly scale: TimeScale | undefined;
  /** Categories of a datetime column that are not times, such as rows without a date. They have no position. */
  readonly timeless: readonly number[];
  /** Converts a number of periods after the first one to a share of the axis. */
  shareOf(position: number): number;
}

/**
 * Positions categories side by side, or periods along a time axis on which missing periods keep their place. With
 * `hasBars`, the first and the last category have room for half a bar at the ends. `order` contains the categories in
 * the order of the axis; times are always in ascending order.
 */
export function placeCategories(
  category: ChartColumn | undefined,
  categories: readonly ChartCell[],
  {
    hasBars,
    order = [...categories.keys()],
  }: { readonly hasBars: boolean; readonly order?: readonly number[] },
): PlacedCategories {
  const scale = category?.isDatetime ? timeScale(category, categories) : undefined;
  if (!scale) {
    const count = Math.max(1, order.length);
    const shareOf = (position: number) => (position + 0.5) / count;
    const places = order.map((index, position) => ({ index, at: shareOf(position) }));
    return { places, step: 1 / count, scale, timeless: [], shareOf };
  }
  const { positions, count } = scale;
  const isPadded = hasBars || count <= 1;
  const shareOf = (position: number) =>
    isPadded ? (position + 0.5) / count : position / (count - 1);
  const known = order
    .flatMap((index) => {
      const position = positions[index] ?? null;
      return position === null ? [] : [{ index, position }];
    })
    .toSorted((one, other) => one.position - other.position);
  const places: AxisPosition[] = [];
  let before = 0;
  for (const { index, position } of known) {
    const missing = scale.hasPeriods ? Math.round(position - before) - 1 : 0;
    if (missing >= 1) places.push({ index: undefined, at: shareOf(before + 1) });
    if (missing >= 2) places.push({ index: undefined, at: shareOf(position - 1) });
    places.push({ index, at: shareOf(position) });
    before = position;
  }
  return {
    places,
    step: 1 / Math.max(1, isPadded ? count : count - 1),
    scale,
    timeless: order.filter((index) => positions[index] === null),
    shareOf,
  };
}
