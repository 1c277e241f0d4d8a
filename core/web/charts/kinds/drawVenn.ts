import { columnsIn, markOf, type Frame } from "../frame/frame.ts";
import { circle, rect, text } from "../frame/nodes.ts";
import { fitNames } from "../text/fitNames.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { noteLeftOut } from "./noteLeftOut.ts";

/** More sets cannot be drawn as circles that show every combination. */
const mostCircles = 3;

interface VennSet {
  readonly key: string;
  readonly name: string;
  readonly color: string;
}

/** The elements that are in exactly these sets. */
interface Region {
  /** Bit `n` is set if the elements are in set `n`. */
  readonly sets: bigint;
  amount: number;
}

/**
 * Draws how sets overlap. Up to three sets are circles, whose areas and common areas are proportional to their
 * elements; more sets are bars, one per combination. Elements count once, or as much as their measure says.
 */
export function drawVenn(frame: Frame): void {
  const { sets, regions, write } = regionsOf(frame);
  if (sets.length === 0) return;
  if (sets.length <= mostCircles) drawCircles(frame, sets, regions, write);
  else drawCombinations(frame, sets, regions, write);
}

type Write = (amount: number) => string;

function regionsOf(frame: Frame): {
  readonly sets: readonly VennSet[];
  readonly regions: readonly Region[];
  readonly write: Write;
} {
  const { rows, request } = frame;
  const { colors, localeId } = request;
  const [category] = columnsIn(frame, "category");
  const [identifier] = columnsIn(frame, "identifier");
  const [measure] = columnsIn(frame, "measure");
  const counted = new Intl.NumberFormat(localeId);
  const write = measure ? measure.text : (amount: number) => counted.format(amount);
  if (!category || !identifier) return { sets: [], regions: [], write };
  const sets: VennSet[] = [];
  const places = new Map<string, number>();
  const elements = new Map<string, { sets: bigint; amount: number }>();
  const left: string[] = [];
  const unnamed: string[] = [];
  for (const row of rows) {
    const cell = row[category.cell];
    const element = row[identifier.cell];
    const amount = measure ? measure.number(row[measure.cell]) : 1;
    if (cell === null || cell === undefined || element === null || element === undefined) {
      unnamed.push("");
      continue;
    }
    if (amount === null || !(amount > 0)) {
      left.push(identifier.text(element));
      continue;
    }
    const key = category.key(cell);
    let place = places.get(key);
    if (place === undefined) {
      place = sets.length;
      places.set(key, place);
      sets.push({
        key,
        name: category.text(cell),
        color: colors.of(category.field.columnId ?? "", key, category.color(cell)),
      });
    }
    const known = elements.get(identifier.key(element)) ?? { sets: 0n, amount: 0 };
    known.sets |= 1n << BigInt(place);
    // An element that is in several sets has a row in each; the largest of their numbers counts.
    known.amount = Math.max(known.amount, amount);
    elements.set(identifier.key(element), known);
  }
  noteLeftOut(frame, "withoutName", unnamed.length);
  noteLeftOut(frame, "notPositive", left.length, left);
  const regions = new Map<bigint, Region>();
  for (const { sets: of, amount } of elements.values()) {
    const region = regions.get(of) ?? { sets: of, amount: 0 };
    region.amount += amount;
    regions.set(of, region);
  }
  return { sets, regions: [...regions.values()], write };
}

const isIn = (of: bigint, place: number) => ((of >> BigInt(place)) & 1n) === 1n;

const nameOf = (of: bigint, sets: readonly VennSet[]) =>
  sets
    .filter((_, place) => isIn(of, place))
    .map(({ name }) => name)
    .join(" + ");

interface Disc {
  x: number;
  y: number;
  readonly radius: number;
}

function drawCircles(
  frame: Frame,
  sets: readonly VennSet[],
  regions: readonly Region[],
  write: Write,
): void {
  const { nodes, area, request } = frame;
  const { theme } = request;
  const most = Math.max(...regions.map(({ amount }) => amount));
  const amountIn = (isWanted: (of: bigint) => boolean) =>
    regions.reduce((sum, { sets: of, amount }) => sum + (isWanted(of) ? amount / most : 0), 0);
  const discs: Disc[] = sets.map((_, place) => ({
    x: 0,
    y: 0,
    radius: Math.sqrt(amountIn((of) => isIn(of, place)) / Math.PI),
  }));
  const distance = (one: number, other: number) =>
    distanceFor(
      discs[one]!.radius,
      discs[other]!.radius,
      amountIn((of) => isIn(of, one) && isIn(of, other)),
    );
  const [first, second, third] = discs;
  if (first && second) second.x = distance(0, 1);
  if (first && second && third) {
    const [along, beside] = [distance(0, 2), distance(1, 2)];
    const across = second.x || 1e-6;
    // The third circle keeps its distances to both others, or comes as close to that as a triangle allows.
    third.x = Math.max(
      -along,
      Math.min(along, (along ** 2 - beside ** 2 + across ** 2) / (2 * across)),
    );
    third.y = Math.sqrt(Math.max(0, along ** 2 - third.x ** 2));
  }
  const edges = {
    left: Math.min(...discs.map(({ x, radius }) => x - radius)),
    right: Math.max(...discs.map(({ x, radius }) => x + radius)),
    top: Math.min(...discs.map(({ y, radius }) => y - radius)),
    bottom: Math.max(...discs.map(({ y, radius }) => y + radius)),
  };
  const legend = 22;
  const scale = Math.min(
    area.width / Math.max(1e-9, edges.right - edges.left),
    Math.max(10, area.height - 2 * legend) / Math.max(1e-9, edges.bottom - edges.top),
  );
  const middle = [area.x + area.width / 2, area.y + area.height / 2] as const;
  const placed = discs.map(({ x, y, radius }) => ({
    x: middle[0] + (x - (edges.left + edges.right) / 2) * scale,
    y: middle[1] + (y - (edges.top + edges.bottom) / 2) * scale,
    radius: radius * scale,
  }));
  for (const [place, { x, y, radius }] of placed.entries()) {
    const { color, name } = sets[place]!;
    const total = amountIn((of) => isIn(of, place)) * most;
    nodes.push(
      circle(x, y, radius, {
        fill: color,
        opacity: 0.4,
        mark: markOf(undefined, name, "", write(total)),
      }),
    );
    nodes.push(circle(x, y, radius, { stroke: color, strokeWidth: 1.5 }));
  }
  const spots = spotsOf(placed, regions);
  for (const [index, { sets: of, amount }] of regions.entries()) {
    const spot = spots[index];
    const name = nameOf(of, sets);
    const shown = write(amount);
    if (!spot) {
      // A combination that the circles cannot show is said.
      frame.notes.push(`${name}: ${shown}`);
      continue;
    }
    nodes.push(
      circle(spot.x, spot.y, Math.min(16, Math.max(6, spot.radius)), {
        fill: theme.background,
        opacity: 0,
        mark: markOf(undefined, name, "", shown),
      }),
    );
    if (measureText(shown, 12, 600) <= Math.max(18, spot.radius * 2.4))
      nodes.push(
        text(spot.x, spot.y + 4, shown, { fill: theme.text, weight: 600, anchor: "middle" }),
      );
  }
  for (const [place, { x, y, radius }] of placed.entries()) {
    const isLow = place === 2;
    const room = area.width / (sets.length === 1 ? 1 : 2);
    const shown = fitText(sets[place]!.name, room, 12, 600);
    const half = measureText(shown, 12, 600) / 2;
    const at = Math.max(
      area.x + half,
      Math.min(
        area.x + area.width - half,
        x + (place === 0 ? -radius / 4 : place === 1 ? radius / 4 : 0),
      ),
    );
    nodes.push(
      text(at, isLow ? y + radius + 16 : y - radius - 6, shown, {
        fill: theme.text,
        weight: 600,
        anchor: "middle",
      }),
    );
  }
}

/** Returns the distance of two circles whose common area is as large as given, by bisection. */
function distanceFor(one: number, other: number, common: number): number {
  let [near, far] = [Math.abs(one - other), one + other];
  for (let round = 0; round < 60; round++) {
    const middle = (near + far) / 2;
    if (commonArea(one, other, middle) > common) near = middle;
    else far = middle;
  }
  return (near + far) / 2;
}

/** Returns the common area of two circles (https://mathworld.wolfram.com/Circle-CircleIntersection.html). */
function commonArea(one: number, other: number, distance: number): number {
  if (distance >= one + other) return 0;
  if (distance <= Math.abs(one - other)) return Math.PI * Math.min(one, other) ** 2;
  const half = (radius: number, beside: number) => {
    const cosine = (distance ** 2 + radius ** 2 - beside ** 2) / (2 * distance * radius);
    return radius ** 2 * Math.acos(Math.max(-1, Math.min(1, cosine)));
  };
  const root =
    (-distance + one + other) *
    (distance + one - other) *
    (distance - one + other) *
    (distance + one + other);
  return half(one, other) + half(other, one) - Math.sqrt(Math.max(0, root)) / 2;
}

/** Returns, for each region, the point that is deepest inside it; undefined if the circles do not show the region. */
function spotsOf(
  discs: readonly Disc[],
  regions: readonly Region[],
): readonly ({ readonly x: number; readonly y: number; readonly radius: number } | undefined)[] {
  const steps = 60;
  const left = Math.min(...discs.map(({ x, radius }) => x - radius));
  const right = Math.max(...discs.map(({ x, radius }) => x + radius));
  const top = Math.min(...discs.map(({ y, radius }) => y - radius));
  const bottom = Math.max(...discs.map(({ y, radius }) => y + radius));
  const best = new Map<bigint, { x: number; y: number; radius: number }>();
  for (let across = 0; across <= steps; across++)
    for (let down = 0; down <= steps; down++) {
      const x = left + ((right - left) * across) / steps;
      const y = top + ((bottom - top) * down) / steps;
      let of = 0n;
      let depth = Infinity;
      for (const [place, disc] of discs.entries()) {
        const inside = disc.radius - Math.hypot(x - disc.x, y - disc.y);
        if (inside > 0) of |= 1n << BigInt(place);
        depth = Math.min(depth, Math.abs(inside));
      }
      const known = best.get(of);
      if (!known || depth > known.radius) best.set(of, { x, y, radius: depth });
    }
  return regions.map(({ sets }) => best.get(sets));
}

/** Draws a bar for each combination of sets, largest first. */
function drawCombinations(
  frame: Frame,
  sets: readonly VennSet[],
  regions: readonly Region[],
  write: Write,
): void {
  const { nodes, area, request } = frame;
  const { theme } = request;
  const sorted = regions.toSorted((one, other) => other.amount - one.amount);
  const step = 26;
  const kept = sorted.slice(0, Math.max(1, Math.floor(area.height / step)));
  const left = sorted.slice(kept.length);
  noteLeftOut(
    frame,
    "withoutRoom",
    left.length,
    left.map(({ sets: of }) => nameOf(of, sets)),
  );
  const most = Math.max(...kept.map(({ amount }) => amount));
  const names = kept.map(({ sets: of }) => nameOf(of, sets));
  const wide = Math.min(area.width * 0.45, Math.max(...names.map((name) => measureText(name, 12))));
  const right = Math.max(...kept.map(({ amount }) => measureText(write(amount), 12))) + 8;
  const room = Math.max(10, area.width - wide - 12 - right);
  const fitted = fitNames(names, wide, 12);
  for (const [index, { sets: of, amount }] of kept.entries()) {
    const y = area.y + index * step;
    const own = sets.filter((_, place) => isIn(of, place));
    const length = (room * amount) / most;
    const mark = markOf(undefined, names[index]!, "", write(amount));
    nodes.push(
      rect(area.x + wide + 12, y + 4, length, step - 8, {
        fill: own.length === 1 ? own[0]!.color : (theme.series[0] ?? ""),
        ...(own.length > 1 && { opacity: 0.75 }),
        radius: 2,
        mark,
      }),
    );
    nodes.push(
      text(area.x + wide, y + step / 2 + 4, fitted[index] ?? "", {
        fill: theme.text,
        anchor: "end",
      }),
    );
    nodes.push(
      text(area.x + wide + 18 + length, y + step / 2 + 4, write(amount), { fill: theme.muted }),
    );
  }
}
