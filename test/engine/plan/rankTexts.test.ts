import * as assert from "uvu/assert";
import { compareText } from "../../../engine/column/texts/compareText.ts";
import { Dictionary } from "../../../engine/column/texts/dictionary.ts";
import { columnText } from "../../../engine/expressions/columnText.ts";
import { rankTexts } from "../../../engine/plan/rankTexts.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const code = { kind: "byCode", column: 0 } as const;
const parts = ["a", "ab", "Z", "é", "日", "\uFFFF", "😀", "\uD800", "\0", ""];

suite("engine/plan/rankTexts", (test) => {
  test("strings are ordered by code point, and the order is computed once", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 50; round++) {
        const made = Array.from({ length: random.below(200) }, () =>
          Array.from({ length: random.below(5) }, () => random.pick(parts)).join(""),
        );
        const texts = [...new Set(made)];
        const textCount = texts.length;
        for (const text of [
          { kind: "text", texts, textCount, code } as const,
          columnText(new Dictionary(texts), textCount, code),
        ]) {
          const order = rankTexts(text);
          assert.equal(
            Array.from(order.codes, (at) => texts[at]),
            texts.toSorted(compareText),
          );
          order.codes.forEach((at, rank) => assert.is(order.ranks[at], rank));
          assert.is(rankTexts(text), order);
        }
      }
    });
  });

  test("the order of a snapshot's strings excludes strings added later", () => {
    const texts = ["b", "a", "A"];
    assert.equal(Array.from(rankTexts({ kind: "text", texts, textCount: 2, code }).ranks), [1, 0]);
  });
});
