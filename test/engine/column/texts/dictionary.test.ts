import * as assert from "uvu/assert";
import { compareText } from "../../../../engine/column/texts/compareText.ts";
import { Dictionary } from "../../../../engine/column/texts/dictionary.ts";
import { TextBytes } from "../../../../engine/column/texts/textBytes.ts";
import { TextPool } from "../../../../engine/column/texts/textPool.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const letters = ["a", "b", "Z", "é", "\uD7FF", "\uE000", "\uFFFF", "😀", "\uD800", ""];
const randomText = (random: Random, alphabet: readonly string[]) =>
  Array.from({ length: random.below(4) }, () => random.pick(alphabet)).join("");

suite("engine/column/texts/dictionary", (test) => {
  test("adding strings to a dictionary changes no existing code and keeps the order by code point", async () => {
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

  test("thousands of strings that are added later, including lone surrogates, are merged into the order", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const beginning = random.pick(["", "user_", "日本 that many share "]);
      const plain = new Set<string>();
      const dictionary = new Dictionary();
      for (const count of [1, 3000, 3001, 3020, 9000]) {
        for (; plain.size < count;) {
          const text = beginning + randomText(random, letters) + random.below(1e6);
          plain.add(text);
          dictionary.encode(text);
        }
        const texts = [...plain];
        const { codes, ranks } = dictionary.order();
        assert.equal(
          Array.from(codes, (code) => texts[code]),
          texts.toSorted(compareText),
        );
        assert.ok(codes.every((code, rank) => ranks[code] === rank));
      }
    });
  });

  test("`slice` returns the strings of a range of codes, whether or not they were decoded before", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const alphabet of [letters, letters.slice(0, 3), ["a", "é", "日本", "😀"]]) {
        const plain: string[] = [];
        const dictionary = new Dictionary();
        for (let step = 0; step < 300; step++) {
          const text = randomText(random, alphabet).repeat(random.pick([1, 1, 9]));
          if (!plain.includes(text)) plain.push(text);
          dictionary.encode(text);
          const from = random.below(plain.length + 1);
          const until = from + random.below(plain.length - from + 1);
          assert.equal(dictionary.slice(from, until), plain.slice(from, until));
          if (step === 200) assert.equal(dictionary.texts, plain);
        }
      }
    });
  });

  test("the `texts` array of a dictionary is never replaced, and its entries never change", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 40; round++) {
        const alphabet = random.pick([letters, letters.slice(0, 4), ["a", "é", "日本", "😀"]]);
        const some = () => [
          ...new Set(
            Array.from({ length: random.below(300) }, () =>
              randomText(random, alphabet).repeat(random.pick([1, 1, 40])),
            ),
          ),
        ];
        const plain = some();
        const dictionary = new Dictionary(plain);
        const { texts } = dictionary;
        const place = (text: string) => {
          if (!plain.includes(text)) plain.push(text);
          return plain.indexOf(text);
        };
        for (let step = random.below(6); step > 0; step--) {
          const added = some();
          if (random.chance(0.5))
            assert.equal(Array.from(dictionary.merge(pack(added))), added.map(place));
          else for (const text of added) assert.is(dictionary.encode(text), place(text));
          assert.is(dictionary.size, plain.length);
          if (random.chance(0.5)) assert.is(dictionary.texts, texts);
          for (const text of random.some(plain, 0.1))
            assert.is(dictionary.codeOf(text), plain.indexOf(text));
        }
        assert.is(dictionary.texts, texts);
        assert.equal(texts, plain);
        assert.equal(
          Array.from(dictionary.order().codes, (code) => plain[code]),
          plain.toSorted(compareText),
        );
      }
    });
  });

  test("the memory estimate of ASCII strings is the same for bytes and JavaScript strings", () => {
    const texts = Array.from({ length: 1000 }, (_, code) => `text ${code}`);
    const packed = new Dictionary();
    packed.merge(pack(texts));
    const given = new Dictionary(texts);
    const { memoryBytes } = given;
    given.codeOf("text 1");
    assert.is(given.memoryBytes, memoryBytes);
    assert.is(packed.memoryBytes, memoryBytes);
  });
});

function pack(texts: readonly string[]) {
  const pool = new TextPool();
  const bytes = new TextBytes();
  for (const text of texts) {
    const length = bytes.write(text);
    pool.intern(bytes.view, 0, length);
    if (!text.isWellFormed()) pool.hasLoneSurrogates = true;
  }
  return pool.pack();
}
