import { measureText } from "../text/measureText.ts";
import type { Area } from "../frame/frame.ts";

/** A point with a name, in pixels. The name may be drawn next to the point. */
export interface NamedPoint {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly name: string;
}

/** The name of a point, with its position in pixels. */
export interface PointLabel {
  readonly x: number;
  /** Vertical position of the baseline. */
  readonly y: number;
  readonly name: string;
  readonly anchor: "start" | "end";
}

const size = 12;
const height = 14;
/** Maximum width of a name in pixels. The tooltip shows longer names. */
const widest = 120;

/**
 * Returns names for the `count` points that differ most from the others. A name is placed next to its point, where it
 * touches neither another point nor another name. Returns no names for more than 500 points. O(count × points).
 */
export function labelPoints(
  points: readonly NamedPoint[],
  plot: Area,
  count: number,
): readonly PointLabel[] {
  if (points.length === 0 || points.length > 500) return [];
  const middle = (of: (point: NamedPoint) => number) =>
    points.map(of).toSorted((one, other) => one - other)[points.length >> 1] ?? 0;
  const [x, y] = [middle((point) => point.x), middle((point) => point.y)];
  const farness = (point: NamedPoint) =>
    ((point.x - x) / plot.width) ** 2 + ((point.y - y) / plot.height) ** 2;
  const taken = points.map((point) => boxAround(point.x, point.y, point.radius));
  const labels: PointLabel[] = [];
  for (const point of points.toSorted((one, other) => farness(other) - farness(one))) {
    if (labels.length >= count) break;
    const width = measureText(point.name, size);
    if (point.name === "" || width > widest) continue;
    for (const anchor of ["start", "end"] as const) {
      const gap = point.radius + 4;
      const left = anchor === "start" ? point.x + gap : point.x - gap - width;
      const box = { left, right: left + width, top: point.y - 7, bottom: point.y - 7 + height };
      const isInside =
        box.left >= plot.x &&
        box.right <= plot.x + plot.width + 8 &&
        box.top >= plot.y - 4 &&
        box.bottom <= plot.y + plot.height;
      if (!isInside || taken.some((other) => isTouching(box, other))) continue;
      taken.push(box);
      const at = anchor === "start" ? point.x + gap : point.x - gap;
      labels.push({ x: at, y: point.y + 4, name: point.name, anchor });
      break;
    }
  }
  return labels;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const boxAround = (x: number, y: number, radius: number): Box => ({
  left: x - radius,
  right: x + radius,
  top: y - radius,
  bottom: y + radius,
});

function isTouching(one: Box, other: Box): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}
