import type { Anchor, CircleNode, PathNode, RectNode, TextNode, Weight } from "../scene.ts";

/** Maximum length in pixels. No picture is larger, so longer lengths come from an axis that overflowed. */
const farthest = 100_000;

/**
 * Rounds a length to hundredths of a pixel, so that scenes are equal on every machine. Values such as 1e308 overflow
 * when they become lengths; NaN becomes 0.
 */
function rounded(length: number): number {
  if (Number.isNaN(length)) return 0;
  return Math.round(Math.max(-farthest, Math.min(farthest, length)) * 100) / 100 + 0;
}

/** Creates a rectangle. A negative width or height extends to the other side. */
export function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  style: Omit<RectNode, "kind" | "x" | "y" | "width" | "height">,
): RectNode {
  return {
    kind: "rect",
    x: rounded(Math.min(x, x + width)),
    y: rounded(Math.min(y, y + height)),
    width: rounded(Math.abs(width)),
    height: rounded(Math.abs(height)),
    ...style,
  };
}

/** Creates a circle. */
export function circle(
  x: number,
  y: number,
  radius: number,
  style: Omit<CircleNode, "kind" | "x" | "y" | "radius">,
): CircleNode {
  return { kind: "circle", x: rounded(x), y: rounded(y), radius: rounded(radius), ...style };
}

/** Creates a path. D3 writes its data with two decimals. */
export function path(d: string, style: Omit<PathNode, "kind" | "d">): PathNode {
  return { kind: "path", d: /NaN|Infinity/.test(d) ? "" : d, ...style };
}

/** Creates a straight line. */
export function line(
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
  style: Omit<PathNode, "kind" | "d">,
): PathNode {
  const d = `M${rounded(from[0])},${rounded(from[1])}L${rounded(to[0])},${rounded(to[1])}`;
  return path(d, { strokeWidth: 1, ...style });
}

/** How a line of text is drawn. */
export interface TextStyle {
  readonly fill: string;
  readonly size?: number;
  readonly weight?: Weight;
  readonly anchor?: Anchor;
  /** Clockwise rotation around the position, in degrees. */
  readonly angle?: number;
}

/** Creates a line of text. `y` is its baseline. */
export function text(
  x: number,
  y: number,
  shown: string,
  { fill, size = 12, weight = 400, anchor = "start", angle }: TextStyle,
): TextNode {
  const at = { x: rounded(x), y: rounded(y) };
  const turned = angle === undefined ? undefined : { angle };
  return { kind: "text", ...at, text: shown, size, weight, fill, anchor, ...turned };
}
