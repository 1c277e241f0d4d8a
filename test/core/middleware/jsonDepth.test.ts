import * as assert from "uvu/assert";
import { isDeeperThan } from "../../../core/middleware/jsonDepth.ts";
import { suite } from "../../support/suite.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

suite("core/middleware/jsonDepth", (test) => {
  test("brackets in texts do not count, also behind escapes", () => {
    assert.not(isDeeperThan(bytes('{"a":"[[[[{{{{","b\\"[[[[":"\\\\"}'), 1));
    assert.ok(isDeeperThan(bytes('{"a":"\\\\",  "b":[]}'), 1));
  });

  test("an unfinished text and unbalanced brackets end", () => {
    assert.not(isDeeperThan(bytes('"[[[['), 1));
    assert.not(isDeeperThan(bytes("]]]]["), 1));
  });

  test("the depth agrees with the parsed value for random JSON", () => {
    const seed = Number(process.env["SEED"] ?? 20261121);
    let state = seed;
    const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
    const value = (budget: number): unknown => {
      const kind = random();
      if (budget === 0 || kind < 0.3) return kind < 0.15 ? '[{"\\' : 7;
      const children = Array.from({ length: Math.floor(random() * 3) }, () => value(budget - 1));
      return kind < 0.65
        ? children
        : Object.fromEntries(children.map((child, index) => [`k"]${index}`, child]));
    };
    for (let round = 0; round < 500; round++) {
      const tree = value(8);
      const text = bytes(JSON.stringify(tree));
      const depth = depthOf(tree);
      assert.not(isDeeperThan(text, depth), `seed ${seed}, round ${round}`);
      if (depth > 0) assert.ok(isDeeperThan(text, depth - 1), `seed ${seed}, round ${round}`);
    }
  });
});
