import * as assert from "uvu/assert";
import { bindInSlices, keptByTexts } from "../../../engine/expressions/keptByTexts.ts";
import { suite } from "../../support/suite.ts";

suite("engine/expressions/keptByTexts", (test) => {
  test("computes once for a dictionary, a key and a number of texts, and anew when one of them differs", () => {
    const texts = ["a", "b"];
    let made = 0;
    const ask = (of: readonly string[], count: number, key: string) =>
      keptByTexts(of, count, key, function* () {
        yield;
        return { value: ++made, sizeBytes: 10 };
      });
    assert.equal([ask(texts, 2, "x"), ask(texts, 2, "x"), ask(texts, 2, "y")], [1, 1, 2]);
    assert.equal([ask(texts, 1, "x"), ask(texts, 1, "x"), ask(texts, 2, "x")], [3, 3, 4]);
    assert.is(ask(["a", "b"], 2, "x"), 5);
  });

  test("forgets the least recently used when the bytes are used up, and keeps nothing larger than all of them", () => {
    const texts = ["a"];
    const made: string[] = [];
    const ask = (key: string, sizeBytes = 400_000) =>
      keptByTexts(texts, 1, key, function* () {
        yield;
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

  test("what a plan needs of many texts is computed in slices before it is bound, once, and kept for it (reliability R7)", async () => {
    const texts = Array.from({ length: 10_000 }, (_, code) => `text ${code}`);
    let made = 0;
    const ask = (key: string) =>
      keptByTexts(texts, texts.length, key, function* () {
        yield;
        return { value: { key, number: ++made }, sizeBytes: 2 ** 30 };
      });
    let boundCount = 0;
    let stepCount = 0;
    const bind = () => {
      boundCount++;
      return [ask("x"), ask("y"), ask("x")];
    };
    const inSlices = async <Result>(steps: Generator<undefined, Result>): Promise<Result> => {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        stepCount++;
        const { done, value } = steps.next();
        if (done) return value;
      }
    };
    const bound = await bindInSlices(bind, inSlices, 0);
    assert.equal(
      bound.map(({ key, number }) => [key, number]),
      [
        ["x", 1],
        ["y", 2],
        ["x", 1],
      ],
    );
    // A later attempt may take as long for tables as the one before took without them.
    assert.ok(boundCount >= 2 && boundCount <= 3, `${boundCount} attempts`);
    assert.ok(stepCount >= 2 && stepCount <= 4, `${stepCount} steps`);
    boundCount = stepCount = 0;
    assert.is(
      ask("x").number,
      3,
      "too large to be kept for others, and made at once where nobody binds in slices",
    );
    assert.equal((await bindInSlices(bind, inSlices, Infinity)).length, 3);
    assert.equal([boundCount, stepCount], [1, 0], "one attempt has the time for all of them");
    const failing = bindInSlices(
      () => {
        throw new TypeError("no plan");
      },
      () => Promise.reject(new Error("nothing is prepared")),
    );
    assert.instance(await failing.catch((error: unknown) => error), TypeError);
  });
});
