import type { Page, Scene, SceneNode, TextNode } from "../../web/charts/index.ts";
import { createPause } from "../createPause.ts";
import type { FontFace } from "./openFonts.ts";
import { splitRuns } from "./splitRuns.ts";

const letters = {
  moveTo: "M",
  lineTo: "L",
  quadraticCurveTo: "Q",
  bezierCurveTo: "C",
  closePath: "Z",
};

/**
 * Replaces the text of a page with the outlines of its letters, positioned as in a PDF. Otherwise, rasterizers would
 * choose other faces or show boxes in a line with several scripts. Yields to other work from time to time. O(letters).
 */
export async function outlineTexts(page: Page, faces: readonly FontFace[]): Promise<Page> {
  const pause = createPause();
  const placed = [];
  for (const { scene, ...place } of page.placed) {
    const nodes: SceneNode[] = [];
    for (const node of scene.nodes) {
      nodes.push(node.kind === "text" ? outlineOf(node, faces) : node);
      await pause();
    }
    const outlined: Scene = { ...scene, nodes };
    placed.push({ ...place, scene: outlined });
  }
  return { ...page, placed };
}

function outlineOf(node: TextNode, faces: readonly FontFace[]): SceneNode {
  const runs = splitRuns(node.text, node.weight, faces).map(({ text, face }) => {
    const laid = face.font.layout(text);
    const scale = node.size / face.font.unitsPerEm;
    return { ...laid, scale, width: laid.advanceWidth * scale };
  });
  const width = runs.reduce((sum, run) => sum + run.width, 0);
  let x = node.x - (node.anchor === "end" ? width : node.anchor === "middle" ? width / 2 : 0);
  const radians = ((node.angle ?? 0) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  /** Returns a point of an outline, turned around the position of the text. */
  const turned = (across: number, down: number) => {
    const [right, below] = [across - node.x, down - node.y];
    return `${at2(node.x + right * cos - below * sin)},${at2(node.y + right * sin + below * cos)}`;
  };
  let d = "";
  for (const { glyphs, positions, scale } of runs)
    for (const [index, glyph] of glyphs.entries()) {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      const [left, base] = [x + xOffset * scale, node.y - yOffset * scale];
      for (const { command, args } of glyph.path.commands) {
        d += letters[command];
        for (let at = 0; at < args.length; at += 2)
          d += `${at > 0 ? " " : ""}${turned(left + args[at]! * scale, base - args[at + 1]! * scale)}`;
      }
      x += xAdvance * scale;
    }
  return { kind: "path", d, fill: node.fill };
}

/** Rounds to hundredths of a pixel. */
const at2 = (length: number): number => Math.round(length * 100) / 100;
