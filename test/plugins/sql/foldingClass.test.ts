import * as assert from "uvu/assert";
import { foldingClass, foldingClasses } from "../../../plugins/sql/index.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";

const classOf = (character: string) =>
  foldingClass(character.codePointAt(0)!).map((codePoint) => String.fromCodePoint(codePoint));
const lastCodePoint = 0x10ffff;

suite("plugins/sql/foldingClass", (test) => {
  test("a folding class contains the characters with the same simple case folding, without expansions", () => {
    assert.equal(classOf("k"), ["K", "k", "\u212a"]);
    assert.equal(classOf("ſ"), ["S", "s", "ſ"]);
    assert.equal(classOf("ß"), ["ß", "ẞ"]);
    assert.equal(classOf("σ"), ["Σ", "ς", "σ"]);
    assert.equal(classOf("İ"), ["İ"]);
    assert.equal(classOf("ı"), ["ı"]);
    assert.equal(classOf("i"), ["I", "i"]);
    assert.equal(classOf("%"), ["%"]);
    assert.equal(foldingClasses("a🦄"), [[65, 97], [0x1f984]]);
  });

  test("folding classes agree with the regular expression flags iu in all Unicode planes", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const cased: number[] = [];
      for (let codePoint = 0; codePoint <= lastCodePoint; codePoint++)
        if (/\p{Changes_When_Casemapped}|\p{Cased}/u.test(String.fromCodePoint(codePoint)))
          cased.push(codePoint);
      const wanted = random.some(cased, rounds({ quick: 0.02, deep: 1 }));
      const every = cased.map((codePoint) => String.fromCodePoint(codePoint)).join("");
      for (const codePoint of wanted) {
        const found = every.match(new RegExp(`\\u{${codePoint.toString(16)}}`, "giu")) ?? [];
        assert.equal(classOf(String.fromCodePoint(codePoint)), found, codePoint.toString(16));
      }
    });
  });

  test("all characters of a folding class have the same folding class", () => {
    for (const character of ["K", "ß", "Ǆ", "ᾳ", "ͅ"])
      for (const other of classOf(character))
        assert.equal(classOf(other), classOf(character), other);
  });
});
