import type { Scene, SceneNode } from "../../charts/index.ts";
import type { PlacedMark } from "./travelMarks.ts";

/** Maximum distance in pixels at which the pointer counts as being over a mark. */
const reach = 14;

/** A point of a picture, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the middle of a node. Only a browser can measure the shape of a path, so paths return `otherwise`. */
export function middleOf(node: SceneNode | undefined, otherwise: Point): Point {
  if (!node || node.kind === "path") return otherwise;
  if (node.kind === "rect")
    return { x: node.x + node.width / 2, y: node.y + Math.min(node.height / 2, 24) };
  return { x: node.x, y: node.y };
}

/**
 * Returns the mark at a point: the topmost rectangle or circle under it, or else the nearest mark within reach. With
 * `isSnapped`, returns the mark nearest on the horizontal axis, as in line charts. O(marks).
 */
export function findMark(
  { nodes }: Scene,
  marks: readonly PlacedMark[],
  at: Point,
  isSnapped: boolean,
): PlacedMark | undefined {
  let found: PlacedMark | undefined;
  let least = isSnapped ? Infinity : reach;
  let leastBeside = Infinity;
  for (const mark of marks) {
    const node = nodes[mark.node]!;
    if (node.kind === "path") continue;
    if (isSnapped) {
      const { x, y } = middleOf(node, at);
      const across = Math.abs(x - at.x);
      const beside = Math.abs(y - at.y);
      if (across < least - 0.01 || (across < least + 0.01 && beside < leastBeside)) {
        found = mark;
        least = across;
        leastBeside = beside;
      }
      continue;
    }
    const distance = distanceTo(node, at);
    if (distance < least || (distance === 0 && least === 0)) {
      found = mark;
      least = distance;
    }
  }
  return found;
}

function distanceTo(node: Exclude<SceneNode, { kind: "path" }>, { x, y }: Point): number {
  if (node.kind === "circle") return Math.max(0, Math.hypot(node.x - x, node.y - y) - node.radius);
  if (node.kind === "text") return Math.hypot((node.x - x) / 2, node.y - 5 - y);
  const across = Math.max(node.x - x, 0, x - node.x - node.width);
  const down = Math.max(node.y - y, 0, y - node.y - node.height);
  return Math.hypot(across, down);
}
