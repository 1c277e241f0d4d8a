import * as assert from "uvu/assert";
import { keptByTexts } from "../../../engine/expressions/keptByTexts.ts";
import { suite } from "../../support/suite.ts";

suite("engine/expressions/keptByTexts", (test) => {
  test("computes once for a dictionary, a key and a number of texts, and anew when one of them differs", () => {
    const texts = ["a", "b"];
    let made = 0;
    const ask = (of: readonly string[], count: number, key: string) =>
      keptByTexts(of, count, key, () => ({ value: ++made, sizeBytes: 10 }));
    assert.equal([ask(texts, 2, "x"), ask(texts, 2, "x"), ask(texts, 2, "y")], [1, 1, 2]);
    assert.equal([ask(texts, 1, "x"), ask(texts, 1, "x"), ask(texts, 2, "x")], [3, 3, 4]);
    assert.is(ask(["a", "b"], 2, "x"), 5);
  });

  test("forgets the least recently used when the bytes are used up, and keeps nothing larger than all of them", () => {
    const texts = ["a"];
    const made: string[] = [];
    const ask = (key: string, sizeBytes = 400_000) =>
      keptByTexts(texts, 1, key, () => {
        made.push(key);
        return { value: key, sizeBytes };
      });
    ask("x");
    ask("y");
    ask("x");
    ask("z");
    ask("x");
    assert.equal(made, ["x", "y", "z"]);
    ask("y");
    assert.equal(made, ["x", "y", "z", "y"]);
    ask("large", 2 ** 21);
    ask("large", 2 ** 21);
    assert.equal(made, ["x", "y", "z", "y", "large", "large"]);
    ask("x");
    assert.equal(made.length, 6);
  });
});
