import * as assert from "uvu/assert";
import { readStateOf, writeState } from "../../../../../core/web/charts/dashboard/stateAddress.ts";
import type { DashboardState } from "../../../../../core/web/charts/index.ts";
import { createRandom } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";

const through = (state: DashboardState): unknown =>
  readStateOf(
    new URLSearchParams(
      new URLSearchParams(
        (writeState(state) ?? []).map(([name, value]) => [name, value]),
      ).toString(),
    ),
  );

suite("core/web/charts/dashboard/stateAddress", (test) => {
  test("an address is readable", () => {
    const state: DashboardState = {
      version: 1,
      filters: {
        city: { values: ["Ghent", null] },
        when: { range: { key: "last_now", unit: 5, quantity: 7 }, compare: "year" },
        day: { range: { key: "custom", customRange: { from: "2026-03-01", to: "" } } },
        days: {
          range: { key: "custom", customRange: { from: "2026-03-01", to: "2026-03-31" } },
          compare: { from: "2025-11-15" },
        },
        price: { from: 1.5 },
        name: { text: "a, b" },
      },
      selections: {
        sales: [
          ["north", 1],
          ["south", 2],
        ],
      },
      drills: { months: [{ level: 5, key: ["2026-03-01T00:00:00.000Z"] }] },
      picks: { sales: { measure: '["d","km","sum",null]', "y-axis": "a;b,c%~" } },
      parameters: { region: "west", ids: [1, 2] },
    };
    assert.equal(writeState(state), [
      ["v", "1"],
      ["f.city", "in:Ghent,~null"],
      ["f.when", "dates:last_now,7,day;year"],
      ["f.day", "days:2026-03-01,"],
      ["f.days", "days:2026-03-01,2026-03-31;2025-11-15"],
      ["f.price", "between:1.5,"],
      ["f.name", "has:a, b"],
      ["s.sales", "north,~1;south,~2"],
      ["d.months", "day,2026-03-01T00:00:00.000Z"],
      ["c.sales", 'measure,["d"%2C"km"%2C"sum"%2Cnull];y-axis,a%3Bb%2Cc%25~'],
      ["p.region", "west"],
      ["p.ids", "*~1,~2"],
    ]);
    assert.equal(through(state), state);
  });

  test("any strings and numbers come back as they were", () => {
    const random = createRandom();
    const letters = [
      "",
      "~",
      "%",
      ",",
      ";",
      "*",
      "%2C",
      "a",
      "é",
      "&",
      "=",
      "+",
      " ",
      "null",
      "1",
      "#",
      "/",
    ];
    for (let round = 0; round < 200; round++) {
      const text = () =>
        Array.from({ length: random.below(5) }, () => random.pick(letters)).join("");
      const cell = () =>
        random.pick([null, random.below(9) - 4, 0.1, 1e300, text(), text(), text()]);
      const cells = () => Array.from({ length: 1 + random.below(3) }, cell);
      const state: DashboardState = {
        version: 1,
        filters: { a: { values: cells() }, b: { text: `x${text()}` } },
        selections: { [`id ${text()}`]: [cells(), cells()] },
        drills: { c: [{ level: 1 + random.below(9), key: cells() }] },
        parameters: { p: cell(), q: cells(), r: [], s: true },
      };
      assert.equal(through(state), state);
    }
  });

  test("an address without choices is the author's defaults; one with only the version chooses nothing", () => {
    assert.is(readStateOf(new URLSearchParams("edit=1&screen=mobile")), undefined);
    assert.equal(readStateOf(new URLSearchParams("v=1")), { version: 1 });
    assert.equal(readStateOf(new URLSearchParams("v=7&f.a=in:b")), { version: "7" });
  });

  test("broken members are kept as parts that the dashboard ignores", () => {
    const read = readStateOf(
      new URLSearchParams("f.a=nonsense&f.b=between:1,2,3&f.__proto__=in:x&f.=in:a"),
    );
    assert.is(
      JSON.stringify(read),
      '{"version":1,"filters":{"a":null,"b":null,"__proto__":{"values":["x"]}}}',
    );
  });

  test("choices that are too long for an address are not written", () => {
    const values = Array.from({ length: 900 }, (_, at) => `City ${at}`);
    assert.is(writeState({ version: 1, filters: { city: { values } } }), undefined);
  });
});
