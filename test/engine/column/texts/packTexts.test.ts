import * as assert from "uvu/assert";
import { decodeTexts } from "../../../../engine/column/texts/decodeTexts.ts";
import { packTexts } from "../../../../engine/column/texts/packTexts.ts";
import { TextBytes } from "../../../../engine/column/texts/textBytes.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const alphabets = [
  ["a", "b", "Z", "0", '"', "\\", "\0", "\x7f"],
  ["a", "é", "ÿ", "ж", "漢", "😀", "\u0080", "\uffff"],
  ["a", "é", "😀", "\ud83d", "\ude00", "\ud800", "\udfff"],
];

suite("engine/column/texts/packTexts", (test) => {
  test("packed strings decode unchanged, including lone surrogates", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const alphabet = random.pick(alphabets);
        const texts = Array.from({ length: random.below(20) }, () =>
          Array.from({ length: random.below(5) }, () => random.pick(alphabet)).join(""),
        );
        const packed = packTexts(texts);
        assert.equal(decodeTexts(packed), texts);
        assert.is(packed.hasLoneSurrogates, !texts.every((text) => text.isWellFormed()));
        const written = new TextBytes();
        let start = 0;
        texts.forEach((text, code) => {
          const length = written.write(text);
          assert.equal(
            Buffer.from(packed.bytes.subarray(start, packed.ends[code])),
            Buffer.from(new Uint8Array(written.view.buffer, 0, length)),
          );
          start = packed.ends[code];
        });
        assert.is(packed.bytes.length, start);
      }
    });
  });
});
