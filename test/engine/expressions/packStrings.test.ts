import * as assert from "uvu/assert";
import { Dictionary } from "../../../engine/column/texts/dictionary.ts";
import { packStrings, stringReader } from "../../../engine/expressions/packStrings.ts";
import { suite } from "../../support/suite.ts";

suite("engine/expressions/packStrings", (test) => {
  const plain = Array.from({ length: 3_000 }, (_, code) => `text ${code}`);
  for (const [told, texts] of [
    ["of no values", []],
    ["of ASCII", ["", ...plain]],
    ["beyond ASCII", [...plain, "né", "", "𝄞 ß", "日本", "\u0000"]],
    ["with half surrogate pairs", ["a\ud834", "\udd1e", ...plain, "é\ud834\udd1e"]],
  ] as const)
    test(`a thread reads packed strings ${told} unchanged`, () => {
      const dictionary = new Dictionary(texts);
      for (const of of [
        { texts, textCount: texts.length },
        { texts, textCount: texts.length, dictionary },
      ]) {
        const packed = packStrings(of);
        assert.instance(packed.bytes.buffer, SharedArrayBuffer);
        assert.instance(packed.ends.buffer, SharedArrayBuffer);
        const read = stringReader(structuredClone(packed));
        const codes = [0, ...texts.keys().map((index) => index + 1), 1].slice(0, texts.length + 1);
        assert.equal(codes.map(read), [null, ...texts]);
        if (texts.length > 0) assert.is(read(1), texts[0]);
      }
    });

  test("strings that are added after a plan is bound are not packed for its threads", () => {
    const { ends } = packStrings({ texts: ["a", "b", "later"], textCount: 2 });
    assert.equal([...ends], [1, 2]);
  });
});
