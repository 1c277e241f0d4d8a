import * as assert from "uvu/assert";
import { measureText } from "../../../../core/web/charts/text/measureText.ts";
import type { Scene, SceneNode } from "../../../../core/web/charts/index.ts";
import { openFonts } from "../../../../core/exports/index.ts";
import { writePdf } from "../../../../core/exports/pictures/writePdf.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { drawSample } from "../../web/charts/drawSample.ts";
import { samples } from "../../web/charts/samples.ts";
import { readPdf, type Painted } from "./readPdf.ts";

const fonts = openFonts();

async function painted(scene: Scene): Promise<readonly Painted[]> {
  const { faces } = await fonts.facesOf([]);
  const { width, height, background, title } = scene;
  const placed = [{ x: 0, y: 0, scene }];
  const page = { width, height, background, title, placed, pointsPerPixel: 0.75 };
  return readPdf(await writePdf([page], faces));
}

/** Returns the end points of a path's segments. Parts of arcs and curves that reach beyond these points are ignored. */
function pointsOf(d: string): number[][] {
  return [...d.matchAll(/([MLCQA])([^MLCQAZ]*)/g)].map(([, , written = ""]) =>
    [...written.matchAll(/-?[\d.]+(?:e-?\d+)?/g)].map(Number).slice(-2),
  );
}

/** Returns the left, top, right and bottom edges of a shape. */
function boxOf(node: Exclude<SceneNode, { kind: "text" }>): number[] {
  if (node.kind === "rect") return [node.x, node.y, node.x + node.width, node.y + node.height];
  if (node.kind === "circle") {
    const { x, y, radius } = node;
    return [x - radius, y - radius, x + radius, y + radius];
  }
  const points = pointsOf(node.d);
  const [xs, ys] = [points.map(([x]) => x!), points.map(([, y]) => y!)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

const isInked = (node: SceneNode): boolean =>
  node.kind === "text"
    ? node.text !== ""
    : (node.fill !== undefined || node.stroke !== undefined) &&
      !(node.kind === "circle" && node.radius === 0) &&
      !(node.kind === "path" && node.d === "");

/** Describes the first difference between a page and its scene. Undefined if there is no difference. */
function differenceOf(scene: Scene, page: readonly Painted[]): string | undefined {
  // The page first paints its own background and the background of the item.
  const rest = page.slice(2);
  for (const node of scene.nodes.filter(isInked)) {
    const first = rest.shift();
    const said = `${JSON.stringify(node)} is ${JSON.stringify(first)}`;
    if (!first) return said;
    if (node.kind !== "text") {
      if (first.kind !== "shape") return said;
      const { fill, stroke, opacity = 1 } = node;
      if ((fill ?? first.fill) !== first.fill || stroke !== first.stroke) return said;
      if (Math.abs(opacity - first.opacity) > 0.01) return said;
      const [left = 0, top = 0, right = 0, bottom = 0] = boxOf(node);
      const [x1, y1, x2, y2] = first.box;
      const isWithin =
        left >= x1 - 0.05 && top >= y1 - 0.05 && right <= x2 + 0.05 && bottom <= y2 + 0.05;
      if (!isWithin) return said;
      // Curves may reach beyond their end points, but other shapes do not.
      const isCurved = node.kind === "path" && /[ACQ]/.test(node.d);
      const beyond = Math.max(left - x1, top - y1, x2 - right, y2 - bottom);
      if (!isCurved && beyond > 0.05) return said;
      continue;
    }
    let text = "";
    let last: Painted | undefined = first;
    let x: number | undefined;
    while (last?.kind === "text") {
      text += last.text;
      x ??= last.x;
      if (last.fill !== node.fill || last.size !== node.size) return said;
      if (Math.abs(last.y - node.y) > 0.05) return said;
      if (text.length >= node.text.length) break;
      last = rest.shift();
    }
    if (text !== node.text) return `${said}, ${text}`;
    // Kerning makes a line slightly narrower than the sum of its letters.
    const width = measureText(node.text, node.size, node.weight);
    const share = node.anchor === "end" ? 1 : node.anchor === "middle" ? 0.5 : 0;
    if (Math.abs((x ?? 0) - (node.x - share * width)) > 0.05 + share * 0.03 * width) return said;
  }
  return rest.length === 0 ? undefined : `${rest.length} more were painted`;
}

suite("core/exports/pictures/writePdf", (test) => {
  test.deep(
    "an independent PDF reader finds each mark and string of a sample in its place and color",
    async () => {
      for (const sample of rounds({ quick: samples.slice(0, 3), deep: samples }))
        for (const theme of rounds<("light" | "dark")[]>({
          quick: ["light"],
          deep: ["light", "dark"],
        })) {
          const scene = drawSample(sample, { width: 480, height: 320, theme });
          assert.is(
            differenceOf(scene, await painted(scene)),
            undefined,
            `${sample.name}, ${theme}`,
          );
        }
    },
  );

  test("the comparison of a PDF with its scene detects a mark moved by a pixel and a changed letter", async () => {
    const scene = drawSample(samples[0]!, { width: 480, height: 320, theme: "light" });
    const page = await painted(scene);
    assert.is(differenceOf(scene, page), undefined);
    for (const [kind, change] of [
      ["rect", { x: 100 }],
      ["text", { text: "Flights were fewest in Februarz" }],
      ["text", { fill: "#000000" }],
    ] as const) {
      const at = scene.nodes.findIndex((node) => node.kind === kind);
      const nodes = scene.nodes.map((node, index) =>
        index === at ? { ...node, ...change } : node,
      );
      assert.ok(differenceOf({ ...scene, nodes: nodes as SceneNode[] }, page));
    }
  });
});
