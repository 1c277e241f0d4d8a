import type { Scene, SceneNode } from "../scene.ts";

/** Where the values of a picture are: the direction of its value axis, and the pixel of each value. */
export interface ValueScale {
  /** Whether values grow to the right, as in horizontal bars, instead of upwards. */
  readonly isAlongX: boolean;
  /** Returns the pixel of a value, which may lie outside the picture. */
  at(value: number): number;
  /** Returns the value at a pixel. */
  valueAt(pixel: number): number;
  /** The ends of the marks, by row of the answer. */
  readonly points: readonly ValuePoint[];
}

/** The end of a mark in pixels. */
export interface ValuePoint {
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

interface Valued<Node> {
  readonly node: Node;
  readonly row: number;
  readonly value: number;
}

/** Maximum distance in pixels between a mark and its place on the scale. Scenes round to hundredths. */
const tolerance = 1;

/**
 * Derives the value axis of a picture from its marks: from the lengths of its bars, or else from the places of its
 * points. `valueOf` returns the number that the mark of a row shows. Undefined for a picture without such an axis, such
 * as a pie, and for fewer than two different values.
 */
export function valueScale(
  { nodes }: Pick<Scene, "nodes">,
  valueOf: (row: number) => unknown,
): ValueScale | undefined {
  const valued = <Kind extends SceneNode["kind"]>(kind: Kind) =>
    nodes.flatMap((node): Valued<Extract<SceneNode, { readonly kind: Kind }>>[] => {
      const row = node.mark?.row;
      const value = row === undefined ? undefined : valueOf(row);
      if (!isKind(node, kind) || row === undefined || typeof value !== "number") return [];
      return [{ node, row, value }];
    });
  return scaleOfBars(valued("rect")) ?? scaleOfPoints(valued("circle"));
}

const isKind = <Kind extends SceneNode["kind"]>(
  node: SceneNode,
  kind: Kind,
): node is Extract<SceneNode, { readonly kind: Kind }> => node.kind === kind;

type Bar = Valued<Extract<SceneNode, { readonly kind: "rect" }>>;
type Point = Valued<Extract<SceneNode, { readonly kind: "circle" }>>;

/** The length of each bar is proportional to its value along the value axis, and the first bar begins at zero. */
function scaleOfBars(given: readonly Bar[]): ValueScale | undefined {
  const bars = given.filter(({ value }) => value !== 0);
  const [longest] = bars.toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));
  if (!longest || bars.length < 2) return undefined;
  for (const isAlongX of [true, false]) {
    const lengthOf = ({ node }: Bar) => (isAlongX ? node.width : node.height);
    const startOf = ({ node }: Bar) => (isAlongX ? node.x : node.y);
    const perValue = lengthOf(longest) / Math.abs(longest.value);
    const isScale = bars.every(
      (bar) => Math.abs(lengthOf(bar) - Math.abs(bar.value) * perValue) <= tolerance,
    );
    // Bars of one value are equally long in both directions, but side by side only across the value axis.
    const isAcross = new Set(bars.map(({ node }) => (isAlongX ? node.y : node.x))).size > 1;
    if (!isScale || !isAcross || perValue === 0) continue;
    const isUp = !isAlongX;
    const zeros = bars.map((bar) =>
      bar.value > 0 !== isUp ? startOf(bar) : startOf(bar) + lengthOf(bar),
    );
    const ofPositive = zeros.filter((_, index) => (bars[index]?.value ?? 0) > 0);
    const ofNegative = zeros.filter((_, index) => (bars[index]?.value ?? 0) < 0);
    const zero =
      ofPositive.length > 0
        ? isUp
          ? Math.max(...ofPositive)
          : Math.min(...ofPositive)
        : isUp
          ? Math.min(...ofNegative)
          : Math.max(...ofNegative);
    const step = isUp ? -perValue : perValue;
    const at = (value: number) => zero + value * step;
    return {
      isAlongX,
      at,
      valueAt: (pixel) => (pixel - zero) / step,
      points: given.map(({ node, row, value }) =>
        isAlongX
          ? { row, x: value < 0 ? node.x : node.x + node.width, y: node.y + node.height / 2 }
          : { row, x: node.x + node.width / 2, y: value < 0 ? node.y + node.height : node.y },
      ),
    };
  }
  return undefined;
}

/** The places of points are linear in their values. Lines and scatter plots show values upwards. */
function scaleOfPoints(given: readonly Point[]): ValueScale | undefined {
  const sorted = given.toSorted((one, other) => one.value - other.value);
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (!low || !high || low.value === high.value) return undefined;
  const perValue = (high.node.y - low.node.y) / (high.value - low.value);
  const at = (value: number) => low.node.y + (value - low.value) * perValue;
  const isScale = given.every(({ node, value }) => Math.abs(at(value) - node.y) <= tolerance);
  if (perValue >= 0 || !isScale) return undefined;
  return {
    isAlongX: false,
    at,
    valueAt: (pixel) => low.value + (pixel - low.node.y) / perValue,
    points: given.map(({ node, row }) => ({ row, x: node.x, y: node.y })),
  };
}
