import * as assert from "uvu/assert";
import type { WholeSegment } from "../../../../engine/column/segment/segment.ts";
import { storedRange, valueRange } from "../../../../engine/operators/rows/storedRange.ts";
import type { ComparisonOperator } from "../../../../engine/types.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const passes: Readonly<Record<ComparisonOperator, (left: number, right: number) => boolean>> = {
  "=": (left, right) => left === right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};
const operators = Object.keys(passes) as ComparisonOperator[];

/** Constants outside the range of a column, where consecutive doubles differ by more than one. */
const farValues = [1600376384000, 2 ** 53, 1e18, 1e300, Number.MAX_VALUE].flatMap((value) => [
  value,
  -value,
]);

suite("engine/operators/rows/storedRange", (test) => {
  test("a range of values contains exactly the doubles that pass the comparison", () => {
    const values = [0, -0, 1, -1, 0.1, 1e308, -1e308, Number.MIN_VALUE, -Number.MIN_VALUE, 2 ** 53];
    for (const operator of operators)
      for (const value of values) {
        const { low, high } = valueRange(operator, value);
        const step = Math.max(Number.MIN_VALUE, Math.abs(value) * 2 ** -52);
        for (const candidate of [
          value,
          value - step,
          value + step,
          -value,
          0,
          Infinity,
          -Infinity,
          NaN,
        ])
          assert.is(
            low <= candidate && candidate <= high,
            passes[operator](candidate, value),
            `${candidate} ${operator} ${value}`,
          );
      }
  });

  test("a range of stored numbers contains exactly those whose values pass the comparison", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 20_000; round++) {
        const decimals = random.below(7);
        const segment: WholeSegment = {
          form: "whole",
          rowCount: 1,
          bias: random.below(2_000_001) - 1_000_000,
          scale: [1, 1, 1000, 60_000, 86_400_000][random.below(5)],
          values: { arena: 0, offset: 0, width: 4 },
          decimals,
          nullCount: 0,
          minimum: 0,
          maximum: 0,
          sum: NaN,
        };
        const valueOf = (stored: number) =>
          (segment.bias + stored * segment.scale) / 10 ** decimals;
        const stored = 1 + random.below(1000);
        const value = random.chance(0.1)
          ? random.pick(farValues)
          : valueOf(stored) + [0, 0, 1e-9, -1e-9, 0.3, -0.3][random.below(6)];
        const operator = operators[random.below(operators.length)];
        const { low, high } = storedRange(segment, valueRange(operator, value));
        for (const candidate of [1, stored - 1, stored, stored + 1, 4_294_967_295]) {
          if (candidate < 1) continue;
          assert.is(
            low <= candidate && candidate <= high,
            passes[operator](valueOf(candidate), value),
            `${valueOf(candidate)} ${operator} ${value}, decimals ${decimals}`,
          );
        }
        assert.ok(low >= 1);
      }
    });
  });
});
