import * as assert from "uvu/assert";
import { createDictionary } from "../../../plugins/protocol/createDictionary.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/protocol/createDictionary", (test) => {
  test("a dictionary numbers strings in order of first appearance, however many there are", () => {
    const dictionary = createDictionary();
    const count = 150_000;
    const text = (index: number) => `city ${index % 1000}/${index}`;
    for (let index = 0; index < count; index++) assert.is(dictionary.codeOf(text(index)), index);
    for (let index = 0; index < count; index += 7) assert.is(dictionary.codeOf(text(index)), index);
    assert.is(dictionary.codeOf(""), count);
    assert.is(dictionary.dictionary.length, count + 1);
    assert.is(dictionary.dictionary[count - 1], text(count - 1));
  });

  const hashes: Readonly<Record<string, ((text: string) => number) | undefined>> = {
    "its own hash": undefined,
    "a constant hash": () => 7,
    "a hash with three values": (text) => text.length % 3,
    "a hash with equal low bits": (text) => (text.charCodeAt(text.length - 1) << 20) | 0,
  };
  for (const [name, hashOf] of Object.entries(hashes))
    test(`a dictionary finds every string again with ${name}`, async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const dictionary = createDictionary(hashOf && { hashOf });
        const expected = new Map<string, number>();
        const parts = ["", "a", "é", "\u{1f600}", "\ud800", "\0", "city "];
        for (let round = 0; round < 4000; round++) {
          const text = `${random.pick(parts)}${random.pick(parts)}${random.below(900)}`;
          if (!expected.has(text)) expected.set(text, expected.size);
          assert.is(dictionary.codeOf(text), expected.get(text));
        }
        assert.equal(dictionary.dictionary, [...expected.keys()]);
      });
    });
});
