import * as assert from "uvu/assert";
import type { BoundValue } from "../../../engine/expressions/boundValue.ts";
import { vectorFunction } from "../../../engine/expressions/scalarFunctions.ts";
import { boundsOf } from "../../../engine/plan/boundsOf.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { columnsOf } from "./columnsOf.ts";

const names = [
  ["add", "subtract", "multiply", "least", "greatest", "coalesce"],
  ["negate", "abs", "floor", "ceil"],
  ["round", "trunc"],
] as const;

function randomCall(random: Random, depth: number): BoundValue {
  if (depth === 0)
    return random.chance(0.7)
      ? { kind: "column", column: random.below(3) }
      : { kind: "literal", value: random.pick([0, 1, -3, 0.25, 1e9, NaN]) };
  const part = () => randomCall(random, depth - 1);
  const kind = random.below(4);
  if (kind === 3)
    return {
      kind: "case",
      branches: [{ when: { kind: "isNull", left: part() }, then: part() }],
      otherwise: part(),
    };
  const digits = { kind: "literal", value: random.below(3) } as const;
  const parts = [[part(), part()], [part()], [part(), digits]][kind]!;
  return { kind: "call", function: random.pick(names[kind]!), of: parts };
}

/** Returns all values of an expression. A `case` has the values of all its branches. */
function valuesOf(of: BoundValue, columns: readonly Float64Array[]): readonly Float64Array[] {
  if (of.kind === "column") return [columns[of.column]!];
  if (of.kind === "literal") return [new Float64Array(columns[0]!.length).fill(of.value)];
  if (of.kind === "case")
    return [...of.branches.map(({ then }) => then), of.otherwise].flatMap((part) =>
      valuesOf(part, columns),
    );
  if (of.kind !== "call") throw new TypeError(`unexpected ${of.kind}`);
  const [first = [], second = [new Float64Array(columns[0]!.length)]] = of.of.map((part) =>
    valuesOf(part, columns),
  );
  return first.flatMap((left) =>
    second.map((right) => {
      const values = new Float64Array(left.length);
      vectorFunction(of.function)([left, right].slice(0, of.of.length), left.length, values);
      return values;
    }),
  );
}

suite("engine/plan/boundsOfCall", (test) => {
  test("the values of an expression are within its bounds, with its decimals, and null only if it has nulls", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      let boundCount = 0;
      for (let round = 0; round < rounds({ quick: 100, deep: 3000 }); round++) {
        const unit = random.pick([1, 1, 10, 7]);
        const columns = Array.from({ length: 3 }, () => {
          const nulls = random.pick([0, 0, 0.2, 1]);
          const size = random.pick([5, 1000, 1e12]);
          return Float64Array.from({ length: 20 }, () =>
            random.chance(nulls) ? NaN : Math.round((random.below(1000) / 500 - 1) * size) / unit,
          );
        });
        const of = randomCall(random, 1 + random.below(2));
        const bounds = boundsOf(of, columnsOf(columns));
        if (!bounds) continue;
        boundCount++;
        for (const value of valuesOf(of, columns).flatMap((each) => [...each])) {
          const text = `${JSON.stringify(of)} ${JSON.stringify(bounds)} ${value}`;
          if (Number.isNaN(value)) assert.ok(bounds.hasNulls, text);
          else {
            assert.ok(value >= bounds.minimum && value <= bounds.maximum, text);
            const power = 10 ** bounds.decimals;
            if (bounds.decimals >= 0) assert.is(Math.round(value * power) / power, value + 0, text);
          }
        }
      }
      assert.ok(boundCount > 0);
    });
  });

  test("an expression has no bounds if a bound is not finite or a function has none", () => {
    const columns = columnsOf([Float64Array.of(1e308, -1e308), Float64Array.of(1, 2)]);
    const [large, small] = [0, 1].map((column) => ({ kind: "column", column }) as const);
    const call = (name: string, ...of: BoundValue[]) =>
      boundsOf({ kind: "call", function: name, of }, columns);
    assert.is(call("add", large!, large!), undefined);
    assert.is(call("multiply", large!, small!), undefined);
    assert.is(call("divide", small!, small!), undefined);
    assert.is(call("round", small!, small!), undefined);
    assert.equal(call("add", small!, small!), {
      minimum: 2,
      maximum: 4,
      decimals: 0,
      hasNulls: false,
    });
  });
});
