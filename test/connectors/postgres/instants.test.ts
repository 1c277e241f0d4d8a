import * as assert from "uvu/assert";
import { instantOf, timestampText } from "../../../connectors/postgres/instants.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const [firstMs, lastMs] = [Date.UTC(-4712, 0, 1), 8.64e15];

suite("connectors/postgres/instants", (test) => {
  test("an instant from 4713 BC on stays the same when it is written and parsed", async () => {
    const random = createRandom();
    const known = [
      firstMs,
      lastMs,
      0,
      -1,
      Date.UTC(2000, 1, 29),
      Date.UTC(1900, 1, 28),
      -62_135_596_800_001,
    ];
    await withSeed(random, async () => {
      for (let round = 0; round < 20_000; round++) {
        const share = random.below(2 ** 31) / 2 ** 31;
        const at = known[round] ?? Math.floor(firstMs + share * (lastMs - firstMs));
        const near = round % 2 === 0 ? at : Math.floor(at / 1000);
        assert.is(instantOf(timestampText(near)), near, timestampText(near));
      }
    });
  });

  test("fractions of a millisecond are rounded down, even before 1970", () => {
    assert.is(instantOf("1969-12-31 23:59:59.9996"), -1);
    assert.is(instantOf("2024-02-29 00:00:00.5"), Date.UTC(2024, 1, 29) + 500);
  });

  test("the infinities of PostgreSQL are parsed as null", () => {
    assert.is(instantOf("infinity"), null);
    assert.is(instantOf("-infinity"), null);
  });
});
