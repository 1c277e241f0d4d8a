import * as assert from "uvu/assert";
import { decidingLevel, isPeriodStart } from "../../../../core/queries/plan/decidingLevel.ts";
import { levels, type Operator } from "../../../../plugins/protocol/index.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const starts = (at: number, level: string): number => {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC");
  const midnight = zoned.startOfDay();
  switch (level) {
    case "year":
      return midnight.with({ month: 1, day: 1 }).epochMilliseconds;
    case "quarter":
      return midnight.with({ day: 1, month: zoned.month - ((zoned.month - 1) % 3) })
        .epochMilliseconds;
    case "month":
      return midnight.with({ day: 1 }).epochMilliseconds;
    default:
      return zoned.round({ smallestUnit: level as "day", roundingMode: "floor" }).epochMilliseconds;
  }
};

suite("core/queries/plan/decidingLevel", (test) => {
  test("if a bound is the start of a period, it is enough to test whole periods", () => {
    for (const [expression, bound, level] of [
      [">=", "2024-01-01T00:00:00.000Z", "year"],
      ["<", "2024-04-01T00:00:00.000Z", "quarter"],
      [">=", "2024-05-01T00:00:00.000Z", "month"],
      ["<", "2024-05-06T00:00:00.000Z", "day"],
      [">=", "2024-05-06T07:00:00.000Z", "hour"],
      ["<=", "2024-05-06T23:59:59.999Z", "day"],
      [">", "2023-12-31T23:59:59.999Z", "year"],
      ["<=", "2024-05-06T00:00:00.000Z", "millisecond"],
      ["=", "2024-01-01T00:00:00.000Z", undefined],
      ["is not null", undefined, "year"],
    ] as const)
      assert.is(
        decidingLevel({ column_id: "at", expression, ...(bound && { value: [bound] }) }),
        level,
        `${expression} ${bound}`,
      );
  });

  test("the start of a period passes a comparison if and only if every instant in the period passes", () => {
    const random = createRandom(11);
    const passes = (at: number, expression: Operator, bound: number) =>
      ({ "<": at < bound, "<=": at <= bound, ">": at > bound, ">=": at >= bound })[
        expression as "<"
      ];
    for (let index = 0; index < 3000; index++) {
      const level = random.pick(levels.filter((each) => each !== "week"));
      const near = Date.UTC(1960 + random.below(80), random.below(12), 1 + random.below(28));
      const at = near + random.below(86_400_000);
      const bound = starts(near + random.below(86_400_000), level) - random.pick([0, 1]);
      const expression = random.pick(["<", "<=", ">", ">="] as const);
      const value = [new Date(bound).toISOString()];
      const deciding = decidingLevel({ column_id: "at", expression, value });
      if (!deciding) throw new Error("a comparison has no deciding level");
      assert.is(
        passes(starts(at, deciding), expression, bound),
        passes(at, expression, bound),
        `${new Date(at).toISOString()} ${expression} ${value[0]} by ${deciding}`,
      );
      assert.is(isPeriodStart(at, level), starts(at, level) === at);
      assert.ok(isPeriodStart(starts(at, level), level));
    }
  });
});
