import type { ChartColumn } from "../answer/chartColumn.ts";
import { gapMs } from "../axes/timeTicks.ts";

/** The position of a category or a gap on the horizontal axis. */
export interface AxisPosition {
  /** Index of the category; undefined for a gap. */
  readonly index: number | undefined;
  /** Position as a share of the width. */
  readonly at: number;
}

/** The positions of categories and gaps on the horizontal axis. */
export interface PlacedCategories {
  readonly places: readonly AxisPosition[];
  /** Width of a category as a share of the width. */
  readonly step: number;
}

/**
 * Positions categories side by side, or along a time axis with gaps for missing periods. `wallMs` contains the time of
 * each category.
 */
export function placeCategories(
  category: ChartColumn | undefined,
  wallMs: readonly (number | null)[],
  { width, hasBars }: { readonly width: number; readonly hasBars: boolean },
): PlacedCategories {
  const order = wallMs.map((_, index) => index);
  if (category?.isDatetime) order.sort((one, other) => (wallMs[one] ?? 0) - (wallMs[other] ?? 0));
  const known = order.filter((index) => !category?.isDatetime || wallMs[index] !== null);
  if (!category?.isDatetime || known.length < 2) {
    const count = Math.max(1, known.length);
    return {
      places: known.map((index, place) => ({ index, at: (place + 0.5) / count })),
      step: width / count,
    };
  }
  const first = wallMs[known[0]!] ?? 0;
  const last = wallMs[known.at(-1)!] ?? 0;
  const isGap = gapMs(category.field.level);
  // Bars need half of their width at each end.
  const pad = hasBars ? 0.5 / known.length : 0;
  const places: AxisPosition[] = [];
  let before = first;
  for (const index of known) {
    const at = wallMs[index] ?? 0;
    const share = pad + (1 - 2 * pad) * ((at - first) / (last - first || 1));
    if (at - before > isGap) places.push({ index: undefined, at: share });
    places.push({ index, at: share });
    before = at;
  }
  return { places, step: (width * (1 - 2 * pad)) / Math.max(1, known.length) };
}
