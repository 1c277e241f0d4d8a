import { readdirSync, readFileSync, statSync } from "node:fs";
import * as assert from "uvu/assert";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { keptPictures, pngOf } from "./keptPictures.ts";
import { countDifferences, pixelsOf } from "./pixelsOf.ts";

/**
 * Tolerance per channel, because palettes round the edges of letters. Colors of different marks and labels differ by
 * more.
 */
const tolerance = 40;
/** Maximum number of pixels that may differ by more than the tolerance. */
const mostDifferent = 20;

suite("core/exports/pictures/writePng", (test) => {
  test("the picture of each sample equals its stored reference picture in both themes, pixel for pixel", async () => {
    for (const { name, file, draw } of rounds({
      quick: keptPictures.slice(0, 2),
      deep: keptPictures,
    })) {
      const [drawn, kept] = [
        await pixelsOf(await pngOf(draw())),
        await pixelsOf(readFileSync(file)),
      ];
      const count = countDifferences(drawn, kept, tolerance);
      assert.ok(count <= mostDifferent, `${name}: ${count} pixels differ; see keepPictures.ts`);
    }
  });

  test("the comparison of pictures detects a bar that is two pixels longer and text in another color", async () => {
    const [first] = keptPictures;
    const kept = await pixelsOf(readFileSync(first!.file));
    const scene = first!.draw();
    const changed = (at: number, change: object) =>
      pngOf({
        ...scene,
        nodes: scene.nodes.map((node, index) => (index === at ? { ...node, ...change } : node)),
      });
    const bar = scene.nodes.findIndex(({ kind }) => kind === "rect");
    const { height } = scene.nodes[bar] as { height: number };
    const longer = await pixelsOf(await changed(bar, { height: height + 2 }));
    assert.ok(countDifferences(longer, kept, tolerance) > mostDifferent);
    const title = scene.nodes.findIndex(({ kind }) => kind === "text");
    const red = await pixelsOf(await changed(title, { fill: "#ff0000" }));
    assert.ok(countDifferences(red, kept, tolerance) > mostDifferent);
  });

  test("every sample has a stored reference picture, and all reference pictures together take less than 800 kB", () => {
    const folder = new URL("kept/", import.meta.url);
    const names = readdirSync(folder);
    assert.equal(names.toSorted(), keptPictures.map(({ name }) => name).toSorted());
    const sizes = names.map((name) => statSync(new URL(name, folder)).size);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 800_000);
  });
});
