import type { Series } from "../frame/pivotRows.ts";
import type { LineLook } from "./lineLooks.ts";
import type { AxisPosition } from "./placeCategories.ts";

/** A point of a line or area, with its ends as values. */
export interface LinePoint {
  /** Position as a share of the axis of the categories. */
  readonly at: number;
  /** The category; undefined for a period without rows. */
  readonly index: number | undefined;
  readonly from: number;
  readonly to: number;
  /** Whether the line is interrupted here. */
  readonly isGap: boolean;
}

/** How areas are stacked: on each other, as shares of 100 %, or around the middle. */
export type Stacking = "stacked" | "100" | "stream";

/** Returns what a place holds for a series: a value, null for a row without a value, or undefined without a row. */
function valueAt({ values, rows }: Series, { index }: AxisPosition): number | null | undefined {
  if (index === undefined) return undefined;
  // Values that combine several rows have no row of their own.
  return values[index] ?? (rows[index] === undefined ? undefined : null);
}

/**
 * Returns the points of a series. Places without a row are gaps, connected or filled, as the look says. On an axis
 * without periods, every missing value is a gap.
 */
export function pointsOf(
  one: Series,
  places: readonly AxisPosition[],
  { missing, isBrokenByNull }: Pick<LineLook, "missing" | "isBrokenByNull">,
  hasPeriods: boolean,
): LinePoint[] {
  return places.flatMap((place): LinePoint[] => {
    const { index, at } = place;
    const value = valueAt(one, place);
    const filled = hasPeriods && value === undefined && typeof missing === "number";
    const to = filled ? missing : (value ?? null);
    if (to !== null) return [{ at, index: filled ? undefined : index, from: 0, to, isGap: false }];
    const isConnected = value === null ? !isBrokenByNull : hasPeriods && missing === "connection";
    return isConnected ? [] : [{ at, index: undefined, from: 0, to: 0, isGap: true }];
  });
}

/**
 * Returns the points of stacked areas. A value that only some series lack counts as 0, or as the value that fills
 * missing periods.
 */
export function stackedPoints(
  series: readonly Series[],
  places: readonly AxisPosition[],
  {
    missing,
    stacking,
    hasPeriods,
  }: {
    readonly missing: LineLook["missing"];
    readonly stacking: Stacking;
    readonly hasPeriods: boolean;
  },
): LinePoint[][] {
  const fill = typeof missing === "number" && hasPeriods ? missing : 0;
  const points: LinePoint[][] = series.map(() => []);
  for (const place of places) {
    const { index, at } = place;
    const found = series.map((one) => valueAt(one, place));
    const isMissing = index === undefined && typeof missing !== "number";
    if (isMissing && missing === "connection") continue;
    const values = found.map((value) => (value === undefined ? fill : (value ?? 0)));
    const whole = values.reduce((sum, value) => sum + Math.abs(value), 0);
    const total = values.reduce((sum, value) => sum + value, 0);
    let top = stacking === "stream" ? -total / 2 : 0;
    for (const [number, value] of values.entries()) {
      const from = top;
      top += stacking === "100" ? (whole === 0 ? 0 : value / whole) : value;
      points[number]?.push({
        at,
        index: found[number] === undefined ? undefined : index,
        from,
        to: top,
        isGap: isMissing,
      });
    }
  }
  return points;
}
