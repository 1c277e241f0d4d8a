import { svgNamespace, type Scene } from "../../charts/index.ts";
import type { Point } from "./findMark.ts";

/** Returns a vertical line through a point of a picture, with a dot in the colour of a node on it. */
export function drawCrosshair({ x, y }: Point, scene: Scene, node: number): SVGElement[] {
  const line = document.createElementNS(svgNamespace, "line");
  const ends = { x1: x, x2: x, y1: 48, y2: scene.height - 48 };
  for (const [name, value] of Object.entries(ends)) line.setAttribute(name, String(value));
  line.setAttribute("class", "mf-crosshair");
  return [line, drawDot({ x, y }, 5, scene, node)];
}

/** Returns a dot in the colour of a node. */
export function drawDot({ x, y }: Point, radius: number, scene: Scene, node: number): SVGElement {
  const circle = document.createElementNS(svgNamespace, "circle");
  const fill = scene.nodes[node]?.fill ?? "none";
  const attributes = { cx: x, cy: y, r: radius, fill, class: "mf-dot" };
  for (const [name, value] of Object.entries(attributes)) circle.setAttribute(name, String(value));
  return circle;
}
