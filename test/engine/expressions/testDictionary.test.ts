import * as assert from "uvu/assert";
import { Dictionary } from "../../../engine/column/texts/dictionary.ts";
import { compileLeaf } from "../../../engine/expressions/compileRow.ts";
import { testDictionary, type Leaf } from "../../../engine/expressions/testDictionary.ts";
import { runSteps } from "../../../engine/runSteps.ts";
import { createRandom } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const left = { kind: "column", name: "s" } as const;

function dictionaryOf(texts: readonly string[]): Dictionary {
  const dictionary = new Dictionary();
  for (const text of texts) dictionary.encode(text);
  return dictionary;
}

suite("engine/expressions/testDictionary", (test) => {
  test("testing a dictionary by its bytes returns the same results as testing each string", () => {
    const random = createRandom(Number(process.env["SEED"] ?? 20261121));
    const known = new Set<string>();
    for (let index = 0; index < 2000; index++)
      known.add(random.pick(["", "item", "Étage ", "😀"]) + String(random.below(3000)));
    const texts = [...known];
    const dictionary = random.chance(0.5) ? dictionaryOf(texts) : new Dictionary(texts);
    const anyText = () => (random.chance(0.8) ? random.pick(texts) : `unknown ${random.below(9)}`);
    let passing = 0;
    for (let round = 0; round < 300; round++) {
      const values = Array.from({ length: random.below(6) }, () =>
        random.chance(0.2) ? null : anyText(),
      );
      const leaf: Leaf = random.pick<Leaf>([
        { kind: "in", left, values },
        { kind: "isNull", left },
        { kind: "compare", left, operator: "=", value: anyText() },
        {
          kind: "match",
          left,
          match: random.pick(["contains", "startsWith", "endsWith"]),
          text: random.pick(["1", "ITEM2", "m10", "99"]),
        },
      ]);
      const textCount = random.below(texts.length + 1);
      const isPassed = compileLeaf(leaf);
      const expected = [null, ...texts.slice(0, textCount)].map((text) => (isPassed(text) ? 1 : 0));
      assert.equal(
        Array.from(runSteps(testDictionary(leaf, dictionary, textCount)) ?? []),
        expected,
        `${JSON.stringify(leaf)} of ${textCount} texts`,
      );
      passing += expected.filter((passes) => passes === 1).length;
    }
    assert.ok(passing > 1000, `${passing} pass`);
  });

  test("comparisons by order and tests for non-ASCII strings use JavaScript strings, not bytes", () => {
    const dictionary = dictionaryOf(["a", "b"]);
    const needing: readonly Leaf[] = [
      { kind: "compare", left, operator: "<", value: "b" },
      { kind: "match", left, match: "contains", text: "É" },
    ];
    for (const leaf of needing) assert.is(runSteps(testDictionary(leaf, dictionary, 2)), undefined);
  });

  test("a long list of strings is looked up in steps that let other work run in between", () => {
    const dictionary = dictionaryOf(["a", "b"]);
    const values = Array.from({ length: 10_000 }, (_, index) => `t${index}`);
    const steps = [...testDictionary({ kind: "in", left, values }, dictionary, 2)];
    assert.ok(steps.length >= 10, `${steps.length} steps`);
  });
});
