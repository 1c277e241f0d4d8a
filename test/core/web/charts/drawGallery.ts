// Draws every sample as PNG, in both themes and two sizes: node --conditions=manifold-source <this file> <folder>.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PlacedScene } from "../../../../core/web/charts/index.ts";
import { openFonts, writePng } from "../../../../core/exports/index.ts";
import { drawSample } from "./drawSample.ts";
import { samples } from "./samples.ts";

const [folder = "", only = ""] = process.argv.slice(2);
const fonts = openFonts();
const { faces } = await fonts.facesOf([]);
mkdirSync(folder, { recursive: true });
for (const sample of samples)
  for (const theme of ["light", "dark"] as const)
    for (const [width, height] of [
      [360, 280],
      [900, 420],
    ] as const) {
      if (!sample.name.includes(only)) continue;
      const scene = drawSample(sample, { width, height, theme });
      const page = { ...scene, placed: [{ x: 0, y: 0, scene }] };
      const png = await writePng(page, { faces, scale: 1 });
      writeFileSync(join(folder, `${sample.name.replaceAll(" ", "-")}-${theme}-${width}.png`), png);
    }
for (const theme of ["light", "dark"] as const)
  for (const [width, height, across] of [
    [360, 280, 5],
    [900, 420, 3],
  ] as const) {
    const placed: PlacedScene[] = samples.map((sample, index) => ({
      x: 10 + (index % across) * (width + 10),
      y: 10 + Math.floor(index / across) * (height + 10),
      scene: drawSample(sample, { width, height, theme }),
    }));
    for (let sheet = 0; sheet * across * 3 < placed.length; sheet++) {
      const part = placed.slice(sheet * across * 3, (sheet + 1) * across * 3);
      const page = {
        width: across * (width + 10) + 10,
        height: Math.ceil(part.length / across) * (height + 10) + 10,
        background: "#888888",
        title: "Samples",
        placed: part.map((each) => ({ ...each, y: each.y - sheet * 3 * (height + 10) })),
      };
      const scale = width === 900 ? 0.7 : 1;
      const png = await writePng(page, { faces, scale });
      writeFileSync(join(folder, `sheet-${theme}-${width}-${sheet + 1}.png`), png);
    }
  }
