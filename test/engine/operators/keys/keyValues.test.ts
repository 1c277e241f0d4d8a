import * as assert from "uvu/assert";
import { keyValues } from "../../../../engine/operators/keys/keyValues.ts";
import type { NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import { compilePeriodFloor, periodStart } from "../../../../engine/time/periodFloor.ts";
import { readZone } from "../../../../engine/time/zone.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const dayMs = 86_400_000;

/** Returns a random key, and a function that converts one of its numbers to a value. */
function randomKey(random: Random): {
  readonly key: NumberedKey;
  readonly valueOf: (number: number) => number;
} {
  const of = { kind: "column", column: 0 } as const;
  if (random.chance(0.3)) {
    const cardinality = 1 + random.below(1000);
    return {
      key: { kind: "text", code: { kind: "code", code: 0 }, cardinality },
      valueOf: (number) => number,
    };
  }
  if (random.chance(0.5)) {
    const base = random.below(2_000_001) - 1_000_000;
    const decimals = random.below(4);
    const step = random.pick([undefined, 1, 7, 250]);
    const cardinality = 2 + random.below(5000);
    return {
      key: { kind: "whole", of, base, decimals, ...(step && { step }), cardinality },
      valueOf: (number) =>
        number === 0 ? NaN : (base + (number - 1) * (step ?? 1)) / 10 ** decimals,
    };
  }
  const zone = readZone(random.pick(["UTC", "Europe/Brussels", "Asia/Kolkata"]));
  // Truncations that are computed per value are not numbered and cannot be keys here, so we draw again.
  for (;;) {
    const least = (random.below(40_000) - 10_000) * dayMs + random.below(dayMs);
    const period = random.pick(["hour", "day", "week", "month", "year"] as const);
    const floor = compilePeriodFloor(zone, period, least, least + random.below(900) * dayMs);
    if (floor.kind === "zone") continue;
    return {
      key: { kind: "period", of, floor, cardinality: floor.count + 1 },
      valueOf: (number) => periodStart(floor, number),
    };
  }
}

suite("engine/operators/keys/keyValues", (test) => {
  test("decoding all numbers of a key at once returns the same values as decoding them one by one", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const { key, valueOf } = randomKey(random);
        const stride = 1 + random.below(50);
        const behind = 1 + random.below(5);
        const numbers = Array.from({ length: random.below(40) }, () =>
          random.chance(0.1) ? 0 : random.below(key.cardinality),
        );
        const groups = numbers.map(
          (number) =>
            random.below(stride) + stride * (number + key.cardinality * random.below(behind)),
        );
        const listed = random.chance(0.5) ? Int32Array.from(groups) : Float64Array.from(groups);
        const count = random.below(groups.length + 1);
        const expected = Float64Array.from(numbers, valueOf);
        assert.equal(bitsOf(keyValues(key, stride, listed)), bitsOf(expected));
        assert.equal(
          bitsOf(keyValues(key, stride, listed, count)),
          bitsOf(expected.slice(0, count)),
        );
      }
    });
  });
});

const bitsOf = (values: Float64Array) => new BigUint64Array(values.slice().buffer);
