import type { Anchor, LegendBox, LegendEntry, SceneNode } from "../scene.ts";

const flipped: Readonly<Record<Anchor, Anchor>> = { start: "end", middle: "middle", end: "start" };

/** Rounds to hundredths of a pixel, as nodes are. */
const rounded = (length: number): number => Math.round(length * 100) / 100;

/**
 * Moves rectangles, circles and text to the other side of a picture, for languages that are written from right to left.
 * Paths stay where they are.
 */
function mirror(node: SceneNode, width: number): SceneNode {
  switch (node.kind) {
    case "rect":
      return { ...node, x: rounded(width - node.x - node.width) };
    case "circle":
      return { ...node, x: rounded(width - node.x) };
    case "text":
      return { ...node, x: rounded(width - node.x), anchor: flipped[node.anchor] };
    case "path":
      return node;
  }
}

/** Mirrors the nodes that are drawn from an index on. */
export function mirrorFrom(nodes: SceneNode[], first: number, width: number): void {
  for (let index = first; index < nodes.length; index++) {
    const node = nodes[index];
    if (node) nodes[index] = mirror(node, width);
  }
}

/** Moves the boxes of a legend to the other side of a picture. */
export function mirrorLegend(legend: readonly LegendEntry[], width: number): LegendEntry[] {
  const moved = (box: LegendBox) => ({ ...box, x: width - box.x - box.width });
  return legend.map((entry) => ({ ...entry, ...(entry.box && { box: moved(entry.box) }) }));
}
