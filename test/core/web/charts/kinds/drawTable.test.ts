import * as assert from "uvu/assert";
import type { TextNode } from "../../../../../core/web/charts/index.ts";
import { suite } from "../../../../support/suite.ts";
import { drawSample } from "../drawSample.ts";
import { samples } from "../samples.ts";

const table = samples.find(({ name }) => name === "table")!;
const pivot = samples.find(({ name }) => name === "pivot table")!;

function draw(sample: typeof table, width: number) {
  const scene = drawSample(sample, { width, height: 320, theme: "light" });
  const texts = scene.nodes.filter((node): node is TextNode => node.kind === "text");
  const right = Math.max(...texts.filter(({ anchor }) => anchor === "end").map(({ x }) => x));
  return { scene, texts, right };
}

suite("core/web/charts/kinds/drawTable", (test) => {
  test("the last column of a table ends at the right edge of the picture at any width", () => {
    for (const width of [320, 480, 900, 1_400])
      for (const sample of [table, pivot])
        assert.is(draw(sample, width).right, width - 16 - 10, `${sample.name} ${width}`);
  });

  test("a note names the columns of a table that do not fit", () => {
    const { scene } = draw(pivot, 300);
    assert.match(scene.notes.join(), /^not shown: .*United/);
  });

  test("a table and its notes say how many rows do not fit", () => {
    const { scene, texts } = draw(table, 480);
    const counted = texts.filter(({ text }) => /^\+ [\d,]+ more rows$/.test(text));
    assert.is(counted.length, 1);
    assert.ok(scene.notes.includes(counted[0]!.text));
  });
});
