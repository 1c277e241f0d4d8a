/** How a line gets from one point to the next. */
export type Curve = "linear" | "step-before" | "step-after" | "monotone";

/** A point of a line or an area, in pixels. */
export interface LinePlace {
  readonly x: number;
  readonly y: number;
}

/** A point of an area: `y` is its upper edge, and `base` its lower edge. */
export interface AreaPlace extends LinePlace {
  readonly base: number;
}

/**
 * Returns the path of a line, in hundredths of pixels. Undefined points are gaps. Equal to `line` of d3-shape, whose
 * single module would be too large for the script that pages load first.
 */
export function linePath(points: readonly (LinePlace | undefined)[], curve: Curve): string {
  return runsOf(points)
    .map((given) => {
      const run = curve === "monotone" ? withoutRepeats(given) : given;
      return trace(run, curve, "M") + (run.length === 1 ? "Z" : "");
    })
    .join("");
}

/** Returns the path of an area, in hundredths of pixels. Undefined points are gaps. Equal to `area` of d3-shape. */
export function areaPath(points: readonly (AreaPlace | undefined)[], curve: Curve): string {
  // The lower edge is drawn backwards, so a step before a value becomes a step after it.
  const back =
    curve === "step-before" ? "step-after" : curve === "step-after" ? "step-before" : curve;
  return runsOf(points)
    .map((run) => {
      const edge = run.map(({ x, base }) => ({ x, y: base })).toReversed();
      return `${trace(run, curve, "M")}${trace(edge, back, "L")}Z`;
    })
    .join("");
}

/** Splits points at gaps. */
function runsOf<Place>(points: readonly (Place | undefined)[]): Place[][] {
  const runs: Place[][] = [];
  let isInRun = false;
  for (const point of points) {
    if (point === undefined) isInRun = false;
    else if (isInRun) runs.at(-1)?.push(point);
    else {
      runs.push([point]);
      isInRun = true;
    }
  }
  return runs;
}

/** Leaves out points that equal the point before them. */
const withoutRepeats = (points: readonly LinePlace[]): readonly LinePlace[] =>
  points.filter(({ x, y }, index) => {
    const before = points[index - 1];
    return x !== before?.x || y !== before.y;
  });

const rounded = (value: number): number => Math.round(value * 100) / 100;
const to = (command: string, ...numbers: readonly number[]): string =>
  command + numbers.map(rounded).join(",");

function trace([first, ...others]: readonly LinePlace[], curve: Curve, start: "M" | "L"): string {
  if (!first) return "";
  const begin = to(start, first.x, first.y);
  if (curve === "monotone") return begin + monotone([first, ...others]);
  let last = first;
  let written = begin;
  for (const { x, y } of others) {
    if (curve === "step-before") written += to("L", last.x, y);
    if (curve === "step-after") written += to("L", x, last.y);
    written += to("L", x, y);
    last = { x, y };
  }
  return written;
}

/**
 * Writes the curves of a cubic spline that keeps the order of values along x ("A Simple Method for Monotonic
 * Interpolation in One Dimension", Astronomy and Astrophysics 239, 1990).
 */
function monotone(given: readonly LinePlace[]): string {
  const points = withoutRepeats(given);
  const [first, second] = points;
  if (!first || !second) return "";
  if (points.length === 2) return to("L", second.x, second.y);
  let written = "";
  let slope: number | undefined;
  for (const [index, end] of points.entries()) {
    const begin = points[index - 1];
    if (!begin) continue;
    const next = points[index + 1];
    const nextSlope = next ? slopeOf(begin, end, next) : edgeSlope(begin, end, slope ?? 0);
    const own = slope ?? edgeSlope(begin, end, nextSlope);
    const third = (end.x - begin.x) / 3;
    written += to(
      "C",
      begin.x + third,
      begin.y + third * own,
      end.x - third,
      end.y - third * nextSlope,
      end.x,
      end.y,
    );
    slope = nextSlope;
  }
  return written;
}

/** Returns the slope at a point between two others. Negative zero gives a vertical line the sign of its direction. */
function slopeOf(before: LinePlace, at: LinePlace, after: LinePlace): number {
  const [left, right] = [at.x - before.x, after.x - at.x];
  const leftSlope = (at.y - before.y) / (left || (right < 0 ? -0 : 0));
  const rightSlope = (after.y - at.y) / (right || (left < 0 ? -0 : 0));
  const middle = (leftSlope * right + rightSlope * left) / (left + right);
  const least = Math.min(Math.abs(leftSlope), Math.abs(rightSlope), 0.5 * Math.abs(middle));
  return (signOf(leftSlope) + signOf(rightSlope)) * least || 0;
}

const signOf = (value: number): number => (value < 0 ? -1 : 1);

/** Returns the slope at the end of a line from the slope at its other point. */
function edgeSlope(before: LinePlace, after: LinePlace, slope: number): number {
  const width = after.x - before.x;
  return width === 0 ? slope : ((3 * (after.y - before.y)) / width - slope) / 2;
}
