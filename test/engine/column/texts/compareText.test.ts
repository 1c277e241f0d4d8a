import * as assert from "uvu/assert";
import { compareText } from "../../../../engine/column/texts/compareText.ts";
import { suite } from "../../../support/suite.ts";
import { createRandom } from "../../../support/random.ts";
import { compare } from "../../referenceEngine.ts";

suite("engine/column/texts/compareText", (test) => {
  test("strings are ordered by code point, even where their UTF-16 units are ordered differently", () => {
    assert.ok(compareText("\uFF5E", "\u{1F600}") < 0);
    assert.equal(["\u{1F600}", "\uFF5E"].sort(compareText), ["\uFF5E", "\u{1F600}"]);
  });

  test("comparing strings agrees with comparing their code points one by one", () => {
    const random = createRandom();
    const parts = [
      "",
      "a",
      "b",
      "\uD7FF",
      "\uE000",
      "\uFFFF",
      "\u{10000}",
      "\u{10FFFF}",
      "\uD800",
      "\uDC00",
    ];
    for (let round = 0; round < 2000; round++) {
      const [left, right] = [0, 1].map(() =>
        Array.from({ length: random.below(5) }, () => random.pick(parts)).join(""),
      );
      assert.is(
        Math.sign(compareText(left, right)),
        Math.sign(compare(left, right)),
        `SEED=${random.seed} ${JSON.stringify([left, right])}`,
      );
    }
  });
});
