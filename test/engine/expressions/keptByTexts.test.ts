import * as assert from "uvu/assert";
import { bindInSlices, keptByTexts } from "../../../engine/expressions/keptByTexts.ts";
import { suite } from "../../support/suite.ts";

suite("engine/expressions/keptByTexts", (test) => {
  test("a result over strings is computed once per dictionary, key and number of strings", () => {
    const texts = ["a", "b"];
    let made = 0;
    const compute = (of: readonly string[], count: number, key: string) =>
      keptByTexts(of, count, key, function* () {
        yield;
        return { value: ++made, sizeBytes: 10 };
      });
    assert.equal(
      [compute(texts, 2, "x"), compute(texts, 2, "x"), compute(texts, 2, "y")],
      [1, 1, 2],
    );
    assert.equal(
      [compute(texts, 1, "x"), compute(texts, 1, "x"), compute(texts, 2, "x")],
      [3, 3, 4],
    );
    assert.is(compute(["a", "b"], 2, "x"), 5);
  });

  test("the least recently used result over strings is evicted when the cache is full", () => {
    const texts = ["a"];
    const made: string[] = [];
    const compute = (key: string, sizeBytes = 400_000) =>
      keptByTexts(texts, 1, key, function* () {
        yield;
        made.push(key);
        return { value: key, sizeBytes };
      });
    compute("x");
    compute("y");
    compute("x");
    compute("z");
    compute("x");
    assert.equal(made, ["x", "y", "z"]);
    compute("y");
    assert.equal(made, ["x", "y", "z", "y"]);
    compute("large", 2 ** 21);
    compute("large", 2 ** 21);
    assert.equal(made, ["x", "y", "z", "y", "large", "large"]);
    compute("x");
    assert.equal(made.length, 6);
  });

  test("results over many strings are computed in slices, once each, while the expression is bound", async () => {
    const texts = Array.from({ length: 10_000 }, (_, code) => `text ${code}`);
    let made = 0;
    const compute = (key: string) =>
      keptByTexts(texts, texts.length, key, function* () {
        yield;
        return { value: { key, number: ++made }, sizeBytes: 2 ** 30 };
      });
    let boundCount = 0;
    let stepCount = 0;
    const bind = () => {
      boundCount++;
      return [compute("x"), compute("y"), compute("x")];
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
    // A later attempt may spend as much time on tables as the previous attempt spent on everything else.
    assert.ok(boundCount >= 2 && boundCount <= 3, `${boundCount} attempts`);
    assert.ok(stepCount >= 2 && stepCount <= 4, `${stepCount} steps`);
    boundCount = stepCount = 0;
    assert.is(
      compute("x").number,
      3,
      "too large to be cached, and computed at once outside bindInSlices",
    );
    assert.equal((await bindInSlices(bind, inSlices, Infinity)).length, 3);
    assert.equal([boundCount, stepCount], [1, 0], "a single attempt has the time for all of them");
    const failing = bindInSlices(
      () => {
        throw new TypeError("no plan");
      },
      () => Promise.reject(new Error("nothing is computed in slices")),
    );
    assert.instance(await failing.catch((error: unknown) => error), TypeError);
  });
});
