import * as assert from "uvu/assert";
import { compareText } from "../../../engine/column/compareText.ts";
import { Dictionary } from "../../../engine/column/dictionary.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const letters = ["a", "b", "Z", "é", "\uD7FF", "\uE000", "\uFFFF", "😀", "\uD800", ""];
const randomText = (random: Random, alphabet: readonly string[]) =>
  Array.from({ length: random.below(4) }, () => random.pick(alphabet)).join("");

suite("engine/column/dictionary", (test) => {
  test("codes are places of arrival, and the order by code point stays right while texts come", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const alphabet of [letters, letters.slice(0, 4)]) {
        const dictionary = new Dictionary();
        const plain: string[] = [];
        for (let round = 0; round < 30; round++) {
          for (let count = random.below(40); count > 0; count--) {
            const text = randomText(random, alphabet);
            if (!plain.includes(text)) plain.push(text);
            assert.is(dictionary.encode(text), plain.indexOf(text));
          }
          const { codes, ranks } = dictionary.order();
          assert.equal(
            Array.from(codes, (code) => plain[code]),
            plain.toSorted(compareText),
          );
          codes.forEach((code, rank) => assert.is(ranks[code], rank));
          assert.is(dictionary.order().codes, codes);
        }
        assert.equal(dictionary.texts, plain);
        assert.is(dictionary.codeOf("absent"), undefined);
      }
    });
  });
});
