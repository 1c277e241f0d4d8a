import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { openFonts, writePng } from "../../../../core/exports/index.ts";
import { writePdf } from "../../../../core/exports/pictures/writePdf.ts";
import { suite } from "../../../support/suite.ts";
import { drawSample } from "../../web/charts/drawSample.ts";
import { samples } from "../../web/charts/samples.ts";
import { pixelsOf } from "./pixelsOf.ts";

const run = promisify(execFile);
const isInstalled = ["pdftotext", "pdftoppm"].every(
  (name) => spawnSync(name, ["-v"]).error === undefined,
);

suite(
  "core/exports/pictures, opened by Poppler",
  (test) => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-poppler-"));
    test.after(() => rmSync(folder, { recursive: true, force: true }));

    test.deep(
      "Poppler reads every string in an exported PDF, and renders the PDF like the PNG",
      async () => {
        const fonts = openFonts();
        for (const name of [
          "bars",
          "stacked columns",
          "lines with a gap",
          "donut",
          "table",
          "treemap",
        ]) {
          const sample = samples.find((each) => each.name === name)!;
          const scene = drawSample(sample, { width: 480, height: 320, theme: "light" });
          const texts = scene.nodes.flatMap((node) => (node.kind === "text" ? node.text : []));
          const { faces } = await fonts.facesOf(texts);
          const { width, height, background, title } = scene;
          const page = { width, height, background, title, placed: [{ x: 0, y: 0, scene }] };
          const file = join(folder, "page.pdf");
          writeFileSync(file, await writePdf([{ ...page, pointsPerPixel: 0.75 }], faces));
          const { stdout } = await run("pdftotext", ["-raw", file, "-"]);
          const read = stdout.replaceAll(/\s+/g, " ");
          for (const text of texts) assert.ok(read.includes(text), `${name}: ${text} in ${read}`);
          await run("pdftoppm", ["-r", "96", "-png", "-singlefile", file, join(folder, "page")]);
          const shown = await pixelsOf(readFileSync(join(folder, "page.png")));
          const drawn = await pixelsOf(await writePng(page, { faces, scale: 1 }));
          assert.equal([shown.width, shown.height], [drawn.width, drawn.height]);
          let sum = 0;
          for (const [at, value] of drawn.bytes.entries())
            sum += Math.abs(value - shown.bytes[at]!);
          // Poppler smooths edges differently, but a missing or moved mark would make a far greater difference.
          const mean = sum / drawn.bytes.length;
          assert.ok(mean < 2, `${name}: ${mean.toFixed(2)} of 255 a channel`);
        }
      },
    );
  },
  isInstalled ? {} : { missing: "Poppler (poppler-utils of Debian)" },
);
