import * as assert from "uvu/assert";
import { dateParts } from "../../../engine/expressions/datetimeFunctions.ts";
import { vectorFunction } from "../../../engine/expressions/scalarFunctions.ts";
import { Memory } from "../../../engine/memory/memory.ts";
import { boundsOf } from "../../../engine/plan/boundsOf.ts";
import { Table } from "../../../engine/table/table.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const zones = ["UTC", "Europe/Berlin", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Pago_Pago"];

/** Returns the bounds of a date part of a datetime column. */
function boundsOfPart(values: Float64Array, literals: readonly string[]) {
  const table = new Table("t", new Memory({ budgetBytes: 2 ** 26 }), true, 0);
  table.apply({
    add: [{ name: "at", type: "datetime" }],
    rows: {
      names: ["at"],
      batch: { rowCount: values.length, columns: [{ type: "datetime", values }] },
    },
  });
  const column = table.snapshot().columns.get("at");
  if (!column) throw new Error("the table has no column");
  const of = [{ kind: "column", column: 0 }] as const;
  return boundsOf({ kind: "call", function: "datePart", of, literals }, [column]);
}

suite("engine/plan/boundsOf", (test) => {
  test("date parts are integers within their bounds in every time zone", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const part of dateParts)
        for (const zone of zones) {
          const from = random.pick([
            Date.UTC(2019, 11, 31, 12),
            Date.UTC(2024, 0, 1) - 1,
            Date.UTC(1850, 3, 1),
            -8.64e15,
            8.64e15 - 3e10,
          ]);
          const spanMs = random.pick([1, 86_400_000, 3e10]);
          const values = Float64Array.from({ length: 50 }, () =>
            random.chance(0.1)
              ? NaN
              : from + Math.floor((random.below(2 ** 30) / 2 ** 30) * spanMs),
          );
          const bounds = boundsOfPart(values, [part, zone]);
          const parts = new Float64Array(values.length);
          vectorFunction("datePart", [part, zone])([values], values.length, parts);
          assert.is(bounds?.decimals, 0);
          assert.is(bounds?.hasNulls, values.some(Number.isNaN));
          for (const value of parts) {
            if (Number.isNaN(value)) continue;
            const isWithin = bounds && value >= bounds.minimum && value <= bounds.maximum;
            assert.ok(isWithin && Number.isInteger(value), `${part} ${zone} ${value}`);
          }
        }
    });
  });

  test("cyclic date parts always have bounds, but a year has bounds only if its datetime has bounds", () => {
    const unknown = { kind: "call", function: "fromEpochMs", of: [] } as const;
    const bound = (part: string) =>
      boundsOf({ kind: "call", function: "datePart", of: [unknown], literals: [part, "UTC"] }, []);
    assert.equal(bound("hour"), { minimum: 0, maximum: 23, decimals: 0, hasNulls: true });
    assert.is(bound("year"), undefined);
    const none = boundsOfPart(Float64Array.of(NaN, NaN), ["year", "UTC"]);
    assert.ok(none && Number.isNaN(none.minimum) && Number.isNaN(none.maximum));
  });
});
