import * as assert from "uvu/assert";
import { compareBytes } from "../../../../engine/column/texts/compareBytes.ts";
import { orderTexts } from "../../../../engine/column/texts/orderTexts.ts";
import { paddingBytes } from "../../../../engine/column/texts/hashTexts.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const beginnings = [
  "",
  "\0",
  "\0\0\0\0\0\0\0",
  "customer-",
  "a long beginning that many texts share ",
];
const parts = ["", "\0", "a", "ab", "é", "\uFFFF", "😀", "zzzzzzzzzz"];

suite("engine/column/texts/orderTexts", (test) => {
  test("strings with common prefixes or trailing zeros are ordered by their bytes", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 40 }); round++) {
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

  test("random strings of many shapes are ordered by their bytes", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const count of [
        0,
        1,
        2,
        13,
        999,
        1000,
        1001,
        3000,
        rounds({ quick: 9_000, deep: 50_000 }),
      ]) {
        for (
          let round = 0;
          round < (count > 3000 ? rounds({ quick: 1, deep: 2 }) : rounds({ quick: 1, deep: 8 }));
          round++
        ) {
          const texts = spreadTexts(random, count);
          if (random.chance(0.2)) texts.sort(Buffer.compare);
          const view = packBytes(texts);
          const codes = orderTexts(view, 0, count);
          const plain = texts.toSorted(Buffer.compare);
          assert.is(codes.length, count);
          codes.forEach((code, rank) => {
            if (texts[code] !== plain[rank]) assert.unreachable(`wrong string at position ${rank}`);
          });
        }
      }
    });
  });

  test("strings that are too many or too long for one pass are ordered in parts and merged", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 20 }); round++) {
        const texts = randomTexts(random, 300);
        const view = pack(texts);
        const first = random.below(texts.length);
        const limits = { texts: random.pick([1, 7, 1000]), bytes: random.pick([1, 50, 2000]) };
        assert.equal(
          orderTexts(view, first, texts.length, limits),
          orderTexts(view, first, texts.length),
        );
      }
    });
  });

  test.deep("strings of any length are ordered in reused memory", () => {
    for (const sizeBytes of [2 ** 25, 1, 2 ** 20, 5]) {
      const texts = ["b", "a", "c"].map((letter) => letter.repeat(sizeBytes));
      assert.equal(Array.from(orderTexts(pack(texts), 0, 3)), [1, 0, 2]);
    }
  });

  test("strings that differ only in a late byte are ordered, even if one string ends before this byte", () => {
    for (let shared = 0; shared <= 40; shared += rounds({ quick: 8, deep: 1 })) {
      const beginning = Buffer.alloc(shared, "s");
      const texts = [
        beginning,
        ...Array.from({ length: 1300 }, (_, index) => {
          const number = (index * 7919) % 1300;
          return Buffer.concat([beginning, Buffer.from([number >>> 8, number & 255])]);
        }),
      ];
      for (const some of [texts, texts.slice(1)]) {
        const plain = some.toSorted(Buffer.compare);
        const codes = orderTexts(packBytes(some), 0, some.length);
        assert.ok(codes.every((code, rank) => some[code] === plain[rank]));
      }
    }
  });

  test("ordering strings that are each a prefix of the next does not exhaust the stack", () => {
    const texts = Array.from({ length: rounds({ quick: 800, deep: 3000 }) }, (_, length) =>
      "a".repeat(length * 7),
    );
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

/** Returns distinct byte strings with a common prefix, a random length, and a random number of values per byte. */
function spreadTexts(random: Random, count: number): Buffer[] {
  const beginning = Buffer.alloc(random.below(41), random.pick(["b", "\0", "é"]));
  const lowest = random.pick([0, 48, 97, 200]);
  const valueCount = random.pick([2, 10, 26, 56]);
  const isEven = random.chance(0.3);
  const least = Math.ceil(Math.log(count * 2 + 2) / Math.log(valueCount)) + 1;
  const middle = Buffer.alloc(random.pick([0, 0, 3, 9]), lowest);
  const texts = new Map<string, Buffer>();
  while (texts.size < count) {
    const length = isEven ? least : random.below(least * 2);
    const values = Buffer.from(Array.from({ length }, () => lowest + random.below(valueCount)));
    const text = Buffer.concat([beginning, values.subarray(0, 1), middle, values.subarray(1)]);
    texts.set(text.toString("latin1"), text);
  }
  return [...texts.values()];
}

function pack(texts: readonly string[]) {
  return packBytes(texts.map((text) => Buffer.from(text)));
}

function packBytes(texts: readonly Buffer[]) {
  const ends = new Uint32Array(texts.length);
  texts.forEach((bytes, code) => (ends[code] = bytes.length + (code > 0 ? ends[code - 1] : 0)));
  return { bytes: Uint8Array.from(Buffer.concat([...texts, Buffer.alloc(paddingBytes)])), ends };
}
