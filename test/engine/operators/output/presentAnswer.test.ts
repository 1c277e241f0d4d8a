import * as assert from "uvu/assert";
import { Dictionary } from "../../../../engine/column/texts/dictionary.ts";
import { presentAnswer } from "../../../../engine/operators/output/presentAnswer.ts";
import { runSteps } from "../../../../engine/runSteps.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { toCells } from "../../tables.ts";

suite("engine/operators/output/presentAnswer", (test) => {
  test("a text column of an answer has a dictionary of exactly the strings that occur", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 60; round++) {
        const texts = Array.from({ length: 1 + random.below(300) }, (_, code) => `text ${code}`);
        const dictionary = new Dictionary();
        for (const text of texts) dictionary.encode(text);
        const stored = Float64Array.from({ length: random.pick([1, 5, 400]) }, () =>
          random.below(texts.length + 1),
        );
        const text = {
          kind: "text" as const,
          texts,
          textCount: texts.length,
          code: { kind: "byCode" as const, column: 0 },
        };
        const cells = Array.from(stored, (code) => [code === 0 ? null : texts[code - 1]]);
        for (const column of [
          { type: "text" as const, text, dictionary },
          { type: "text" as const, text },
        ]) {
          const answer = runSteps(presentAnswer([stored], [column], 3, 7));
          assert.equal(toCells(answer), cells);
          const [vector] = answer.columns;
          assert.equal(
            vector.type === "text" && new Set(vector.dictionary),
            new Set(cells.flat().filter((cell) => cell !== null)),
          );
          assert.is(
            vector.type === "text" && vector.dictionary.length,
            new Set(stored).size - (stored.includes(0) ? 1 : 0),
          );
        }
      }
    });
  });

  test("presenting an answer with few rows reads only the strings of those rows", () => {
    const all = Array.from({ length: 1000 }, (_, code) => `text ${code}`);
    const readCodes: number[] = [];
    const dictionary = new Dictionary();
    for (const text of all) dictionary.encode(text);
    const slice = dictionary.slice.bind(dictionary);
    dictionary.slice = (from, until) => {
      for (let code = from; code < until; code++) readCodes.push(code);
      return slice(from, until);
    };
    const text = {
      kind: "text" as const,
      get texts(): readonly string[] {
        throw new Error("all strings were read");
      },
      textCount: all.length,
      code: { kind: "byCode" as const, column: 0 },
    };
    const stored = Float64Array.of(5, 0, 1000, 5);
    const answer = runSteps(presentAnswer([stored], [{ type: "text", text, dictionary }], 1, 4));
    assert.equal(toCells(answer), [["text 4"], [null], ["text 999"], ["text 4"]]);
    assert.equal(readCodes, [4, 999]);
  });

  test("many strings are presented in steps that let other work run in between", () => {
    const texts = Array.from({ length: 100 }, (_, code) => `text ${code}`);
    const code = { kind: "byCode", column: 0 } as const;
    const text = { kind: "text", texts, textCount: texts.length, code } as const;
    const stored = new Float64Array(100_000).fill(3);
    const steps = [...presentAnswer([stored], [{ type: "text", text }], 1, 4)];
    assert.ok(steps.length >= 10, `${steps.length} steps`);
  });
});
