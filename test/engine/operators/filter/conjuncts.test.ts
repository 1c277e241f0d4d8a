import * as assert from "uvu/assert";
import type { BoundTest } from "../../../../engine/expressions/boundValue.ts";
import { splitConjuncts } from "../../../../engine/operators/filter/conjuncts.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { plainTest } from "../plainTwin.ts";

const compare = (
  column: number,
  operator: "<" | "<=" | ">" | ">=" | "=",
  value: number,
): BoundTest => ({ kind: "compare", left: { kind: "column", column }, operator, value });

/** Returns comparisons of three columns, nested in `and`, `or` and `not`. */
function randomTests(random: Random, depth = 2): BoundTest[] {
  return Array.from({ length: random.below(4) }, (): BoundTest => {
    if (depth > 0 && random.chance(0.3))
      return { kind: "not", of: { kind: "or", of: randomTests(random, depth - 1) } };
    if (depth > 0 && random.chance(0.1))
      return {
        kind: "not",
        of: { kind: "not", of: { kind: "and", of: randomTests(random, depth - 1) } },
      };
    if (depth > 0 && random.chance(0.4))
      return {
        kind: random.pick(["and", "and", "or"] as const),
        of: randomTests(random, depth - 1),
      };
    const operator = random.pick(["<", "<=", ">", ">=", "="] as const);
    return compare(random.below(3), operator, random.below(9) - 4);
  });
}

suite("engine/operators/filter/conjuncts", (test) => {
  test("a filter that is split into its AND terms passes the same rows as the original tests", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 3000; round++) {
        const tests = randomTests(random);
        const conjuncts = splitConjuncts(tests);
        const groups = [0, 1, 2].map(() => [
          Float64Array.of(random.pick([NaN, random.below(9) - 4, (random.below(20) - 10) / 3])),
        ]);
        const columns = groups.map((values) => ({ groups: values }));
        const at = { columns, group: 0, row: 0 } as unknown as Parameters<typeof plainTest>[1];
        assert.is(
          conjuncts.every((conjunct) => plainTest(conjunct.test, at)),
          tests.every((each) => plainTest(each, at)),
        );
        for (const { test: each, compared } of conjuncts) {
          if (!compared) continue;
          const [value] = groups[compared.column][0];
          const { low, high } = compared.range;
          assert.is(low <= value && value <= high, plainTest(each, at));
        }
      }
    });
  });

  test("all comparisons of a column become one term of the split filter", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 1000; round++) {
        const conjuncts = splitConjuncts(randomTests(random, 4));
        for (const { test: each, compared } of conjuncts)
          if (each.kind === "and" || each.kind === "compare") assert.ok(compared);
        const compared = conjuncts.flatMap((each) => each.compared?.column ?? []);
        assert.is(new Set(compared).size, compared.length);
      }
    });
  });
});
