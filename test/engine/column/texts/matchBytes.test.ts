import * as assert from "uvu/assert";
import { matchBytes, type TextMatch } from "../../../../engine/column/texts/matchBytes.ts";
import { matchText } from "../../../../engine/expressions/matchText.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261121);
const matches: readonly TextMatch[] = ["contains", "startsWith", "endsWith"];

function viewOf(texts: readonly string[]) {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const ends = Uint32Array.from(encoded);
  let end = 0;
  encoded.forEach(({ length }, code) => (ends[code] = end += length));
  // The two bytes after the last string are not part of it.
  return { bytes: Uint8Array.from([...encoded.flatMap((bytes) => [...bytes]), 97, 98]), ends };
}

const textOf = (random: Random, letters: readonly string[], longest: number) =>
  Array.from({ length: random.below(longest + 1) }, () => random.pick(letters)).join("");

function checkMatches(texts: readonly string[], part: string): number {
  let undefinedCount = 0;
  for (const match of matches) {
    const passes = matchBytes(viewOf(texts), texts.length, match, part);
    if (!passes) {
      undefinedCount++;
      continue;
    }
    const test = matchText(match, part);
    assert.is(passes.length, texts.length + 1);
    assert.is(passes[0], 0);
    const wrong = texts.findIndex((text, code) => passes[code + 1] !== (test(text) ? 1 : 0));
    if (wrong >= 0) assert.unreachable(`${JSON.stringify(texts[wrong])} ${match} ${part}`);
  }
  return undefinedCount;
}

suite("engine/column/texts/matchBytes", (test) => {
  test("matching by bytes agrees with a regular expression that ignores case", () => {
    const letters = [..."aAbB@`[{Zz09.*\\ -", "é", "É", "日", "😀", "ı", "İ", "ß"];
    const parts = letters.filter((letter) => letter < "\x7f");
    for (let round = 0; round < rounds({ quick: 40, deep: 500 }); round++) {
      const random = createRandom(seed + round);
      const texts = Array.from({ length: random.below(12) }, () => textOf(random, letters, 9));
      const part = random.pick(parts) + textOf(random, parts, 3);
      assert.is(checkMatches(texts, part), 0);
    }
  });

  test("two ASCII characters match by bytes if and only if they match in a regular expression that ignores case", () => {
    const texts = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    for (const part of texts) assert.is(checkMatches(texts, part), 0);
  });

  test.deep(
    "each character up to U+FFFF matches a letter if and only if it matches the letter in a regular expression",
    () => {
      const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
      // The quick layer only searches for K, which the Kelvin sign (U+212A) matches if case is ignored.
      const texts = all.filter((text) => text.isWellFormed());
      const others = texts.filter((text) => !"\u212a\u017f".includes(text));
      for (const letter of rounds({ quick: "K", deep: "aKksSz" })) {
        assert.is(checkMatches(texts, letter), "kKsS".includes(letter) ? matches.length : 0);
        assert.is(checkMatches(others, letter), 0);
      }
    },
  );

  test("an empty or non-ASCII search string can be matched only in JavaScript strings, not by bytes", () => {
    for (const part of ["", "é", "aé", "日"])
      assert.is(checkMatches(["a", "É", ""], part), matches.length);
  });
});
