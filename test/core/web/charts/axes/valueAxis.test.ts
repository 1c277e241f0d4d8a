import * as assert from "uvu/assert";
import { valueAxis, type ValueScale } from "../../../../../core/web/charts/axes/valueAxis.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";

const axisOf = (
  values: readonly number[],
  look: Partial<ValueScale> = {},
  format = ",.2f",
  fromZero = false,
) =>
  valueAxis(values, {
    length: 240,
    fromZero,
    style: { format },
    localeId: "en",
    look: { density: 1, logBase: undefined, range: undefined, isVariable: false, ...look },
  });

suite("core/web/charts/axes/valueAxis", (test) => {
  test("an axis of whole numbers has whole ticks, and an axis of percentages has parts", () => {
    assert.equal(axisOf([0, 2]).ticks, [0, 1, 2]);
    assert.ok(axisOf([0, 1], {}, ".0%").ticks.length > 2);
    assert.ok(axisOf([0, 1.5]).ticks.some((tick) => !Number.isInteger(tick)));
  });

  test("ticks of a logarithmic axis are powers, with 2 and 5 between a few powers of 10", () => {
    assert.equal(axisOf([1, 1e6], { logBase: 10 }).ticks, [1, 100, 1e4, 1e6]);
    assert.equal(axisOf([2, 40], { logBase: 10 }).ticks, [1, 2, 5, 10, 20, 50, 100]);
    assert.equal(axisOf([1, 16], { logBase: 2 }).ticks, [1, 2, 4, 8, 16]);
    const small = axisOf([0.001, 1], { logBase: 10 });
    assert.equal(small.ticks.map(small.format), ["0.001", "0.01", "0.1", "1"]);
  });

  test("positions rise with the values on every scale, between 0 and 1", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const size = 10 ** random.pick([-9, -2, 0, 3, 12]);
        const values = Array.from(
          { length: 5 },
          () => (random.pick([1, 2, 3, 5, 8, -1]) * size) / 7,
        );
        const axis = axisOf(values, {
          logBase: random.pick([undefined, 2, 10, 1.5]),
          density: random.pick([0.5, 1, 2]),
          isVariable: random.pick([true, false]),
        });
        const places = values.toSorted((one, other) => one - other).map((value) => axis.at(value));
        for (const [index, place] of places.entries())
          assert.ok(place >= 0 && place <= 1 && place >= (places[index - 1] ?? 0), values.join());
        for (const tick of axis.ticks)
          assert.ok(tick >= axis.low - 1e-9 && tick <= axis.high * (1 + 1e-9) + 1e-9);
        assert.ok(axis.ticks.length >= 1 && axis.ticks.length <= 40);
      }
    });
  });

  test("the range of an axis follows its options", () => {
    const { low, high } = axisOf([10, 20], { range: [-3, 7] });
    assert.equal([low, high], [-3, 7]);
    assert.is(axisOf([4, 9]).low, 0);
    assert.is(axisOf([4, 9], { isVariable: true }).low, 4);
    assert.is(axisOf([4, 9], { isVariable: true }, ",.2f", true).low, 0);
  });
});
