import * as assert from "uvu/assert";
import { compareBytes, orderTexts } from "../../../engine/column/orderTexts.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const beginnings = [
  "",
  "\0",
  "\0\0\0\0\0\0\0",
  "customer-",
  "a long beginning that many texts share ",
];
const parts = ["", "\0", "a", "ab", "é", "\uFFFF", "😀", "zzzzzzzzzz"];

suite("engine/column/orderTexts", (test) => {
  test("texts that share beginnings, end in zeros or begin one another come in the order of their bytes", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 60; round++) {
        const texts = randomTexts(random, random.pick([1, 12, 13, 40, 700]));
        const view = pack(texts);
        const first = random.below(texts.length);
        const codes = orderTexts(view, first, texts.length);
        const plain = texts
          .map((text, code) => ({ code, bytes: Buffer.from(text) }))
          .slice(first)
          .sort((one, other) => Buffer.compare(one.bytes, other.bytes));
        assert.equal(
          Array.from(codes),
          plain.map(({ code }) => code),
        );
        for (let index = 1; index < codes.length; index++)
          assert.ok(compareBytes(view, codes[index - 1], codes[index]) < 0);
      }
    });
  });

  test("texts of which each is the beginning of the next take no deeper stack than two", () => {
    const texts = Array.from({ length: 3000 }, (_, length) => "a".repeat(length * 7));
    const codes = orderTexts(pack(texts.toReversed()), 0, texts.length);
    assert.equal(
      Array.from(codes),
      Array.from(codes.keys(), (rank) => texts.length - 1 - rank),
    );
  });
});

function randomTexts(random: Random, count: number): readonly string[] {
  const texts = new Set<string>();
  while (texts.size < count) {
    const length = random.below(12);
    texts.add(random.pick(beginnings) + Array.from({ length }, () => random.pick(parts)).join(""));
  }
  return [...texts];
}

function pack(texts: readonly string[]) {
  const ends = new Uint32Array(texts.length);
  const encoded = texts.map((text) => Buffer.from(text));
  encoded.forEach((bytes, code) => (ends[code] = bytes.length + (code > 0 ? ends[code - 1] : 0)));
  return { bytes: Uint8Array.from(Buffer.concat(encoded)), ends };
}
