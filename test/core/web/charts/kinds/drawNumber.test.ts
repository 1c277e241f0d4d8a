import * as assert from "uvu/assert";
import { darkTheme, lightTheme, type TextNode } from "../../../../../core/web/charts/index.ts";
import { suite } from "../../../../support/suite.ts";
import { drawSample } from "../drawSample.ts";
import { samples } from "../samples.ts";

const sample = samples.find(({ name }) => name === "number")!;

function sentence(now: number, then: number, options: object, theme: "light" | "dark"): TextNode {
  const { nodes } = drawSample(
    {
      ...sample,
      stored: { ...sample.stored, options },
      rows: [
        ["2001-05-01T00:00:00.000Z", then],
        ["2001-06-01T00:00:00.000Z", now],
      ],
    },
    { width: 360, height: 140, theme },
  );
  return nodes.find((node) => node.kind === "text" && node.text.includes("May"))! as TextNode;
}

suite("core/web/charts/kinds/drawNumber", (test) => {
  test("an increase is coloured as good, or as bad if the options say so, and no change as neutral", () => {
    for (const [name, theme] of [
      ["light", lightTheme],
      ["dark", darkTheme],
    ] as const) {
      assert.is(sentence(9, 3, {}, name).fill, theme.positive);
      assert.is(sentence(3, 9, {}, name).fill, theme.negative);
      assert.is(sentence(9, 3, { evolutionColor: "normal" }, name).fill, theme.positive);
      assert.is(sentence(9, 3, { evolutionColor: "inverse" }, name).fill, theme.negative);
      assert.is(sentence(3, 9, { evolutionColor: "inverse" }, name).fill, theme.positive);
      assert.is(sentence(3, 3, { evolutionColor: "inverse" }, name).fill, theme.muted);
    }
  });

  test("in a flat picture of a number, the line over all periods is next to the number", () => {
    const { nodes } = drawSample(sample, { width: 400, height: 140, theme: "light" });
    const number = nodes.find((node) => node.kind === "text" && node.weight === 600 && node.mark);
    const last = nodes.findLast(({ kind }) => kind === "circle");
    assert.ok(number?.kind === "text" && last?.kind === "circle");
    assert.ok(last.x > 350 && last.y < 140);
    assert.ok(nodes.some(({ kind }) => kind === "path"));
  });
});
