import bidiFactory from "bidi-js/dist/bidi.mjs";
import * as assert from "uvu/assert";
import { openFonts } from "../../../../core/exports/index.ts";
import { splitRuns, type TextRun } from "../../../../core/exports/pictures/splitRuns.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { between } from "../../web/charts/between.ts";

const fonts = openFonts();
const hebrew = /\p{Script=Hebrew}/u;

/** Returns the letters as a reader sees them from the left. A font reverses runs of Hebrew letters. */
const seen = (runs: readonly TextRun[]): string =>
  runs.map(({ text }) => (hebrew.test(text) ? [...text].toReversed().join("") : text)).join("");

suite("core/exports/pictures/splitRuns", (test) => {
  test("a line with text in both directions is ordered by the Unicode bidirectional algorithm", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      const { faces } = await fonts.facesOf(["אבגדה"]);
      const bidi = bidiFactory();
      let turned = 0;
      for (let round = 0; round < rounds({ quick: 300, deep: 3_000 }); round++) {
        const words = Array.from({ length: between(random, 1, 8) }, () =>
          random.pick(["abc", "אבג", "דה", "12", "7%", "(", ")", "-", "x1", "ב2", ",", "[a]"]),
        );
        const line = words.join(random.pick([" ", ""]));
        const expected = bidi.getReorderedString(line, bidi.getEmbeddingLevels(line, "auto"));
        assert.is(seen(splitRuns(line, 400, faces)), expected, line);
        if (expected !== line) turned++;
      }
      assert.ok(turned > 50);
    });
  });

  test("Arabic digits are drawn from the left, each as a run, in any sentence", async () => {
    const { faces } = await fonts.facesOf(["١٢٣ نوفمبر Branch"]);
    for (const [line, drawn] of [
      ["٤٥٦", "٤٥٦"],
      ["Branch ١٢٣", "Branch ١٢٣"],
      ["١٬٢٣٤٫٥", "١٬٢٣٤٫٥"],
      ["نوفمبر ٢٠٢٥", "٢٠٢٥ نوفمبر"],
      ["۱۴ Tage", "۱۴ Tage"],
    ] as const) {
      const runs = splitRuns(line, 400, faces);
      assert.is(runs.map(({ text }) => text).join(""), drawn);
      for (const { text } of runs) if (/[٠-٩۰-۹]/.test(text)) assert.is([...text].length, 1);
    }
  });

  test("marks of direction turn a line and are not drawn", async () => {
    const { faces } = await fonts.facesOf(["12"]);
    const drawn = (line: string) =>
      splitRuns(line, 400, faces)
        .map(({ text }) => text)
        .join("");
    assert.is(drawn("\u200e−12"), "−12");
    assert.is(drawn("\u200f12 €"), "€\u00a012".replace("\u00a0", " "));
    assert.is(drawn("1\u202f234"), "1\u00a0234");
  });

  test("each character is drawn in the first font face of its weight that contains it", async () => {
    const { faces } = await fonts.facesOf(["Łódź Αθήνα שלום"]);
    for (const weight of [400, 600] as const) {
      const runs = splitRuns("Zürich Łódź Αθήνα", weight, faces);
      assert.ok(runs.length >= 3);
      assert.is(runs.map(({ text }) => text).join(""), "Zürich Łódź Αθήνα");
      for (const { text, face } of runs) {
        assert.is(face.weight, weight);
        for (const character of text) assert.ok(face.characters.has(character.codePointAt(0)!));
      }
    }
    // Hebrew is shipped in only one weight.
    const [bold] = splitRuns("שלום", 600, faces);
    assert.is(bold?.face.weight, 400);
  });

  test("variation selectors and joiners are not drawn as boxes", async () => {
    const { faces } = await fonts.facesOf(["a❤️"]);
    const runs = splitRuns("a❤\ufe0f\u200d", 400, faces);
    assert.is(runs.map(({ text }) => text).join(""), "a❤");
  });
});
