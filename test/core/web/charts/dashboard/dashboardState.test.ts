import * as assert from "uvu/assert";
import { readState } from "../../../../../core/web/charts/dashboard/dashboardState.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/charts/dashboard/dashboardState", (test) => {
  test("a state that was written is read without losses", () => {
    const state = {
      version: 1,
      filters: { when: { range: { key: "ago", unit: 3, quantity: 0 }, compare: "year" } },
      selections: {
        sales: [
          ["north", null],
          ["south", 2],
        ],
      },
      drills: { months: [{ level: 5, key: ["2026-03-01T00:00:00.000Z"] }] },
      picks: { sales: { measure: "km" } },
      parameters: { limit: 3, names: ["a", "b"], isOpen: true },
    };
    assert.equal(readState(structuredClone(state)), { state, ignored: [] });
  });

  test("nothing is the author's defaults, and an empty state filters nothing", () => {
    assert.equal(readState(undefined), { state: undefined, ignored: [] });
    assert.equal(readState({ version: 1 }), { state: { version: 1 }, ignored: [] });
  });

  test("parts of other forms are ignored and named", () => {
    for (const [given, ignored] of [
      ["text", ["version"]],
      [{ version: 2, filters: {} }, ["version"]],
      [{ version: 1, filters: [] }, ["filters"]],
      [{ version: 1, filters: { a: "b" } }, ["filters.a"]],
      [
        { version: 1, selections: { a: [], b: [[]], c: [[{}]], d: "x" } },
        ["selections.a", "selections.b", "selections.c", "selections.d"],
      ],
      [{ version: 1, drills: { a: [{ level: 0, key: ["x"] }] } }, ["drills.a"]],
      [
        { version: 1, picks: { a: { measure: 7 }, b: {}, c: "km" } },
        ["picks.a", "picks.b", "picks.c"],
      ],
      [{ version: 1, parameters: { a: { b: 1 } } }, ["parameters.a"]],
      [{ version: 1, colors: {} }, ["colors"]],
    ] as const)
      assert.equal(readState(given).ignored, ignored, JSON.stringify(given));
  });

  test("a state of any size is read in bounds", () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`i${at}`, [["a"]]]));
    const { state, ignored } = readState({ version: 1, selections: many });
    assert.is(Object.keys(state?.selections ?? {}).length, 200);
    assert.is(ignored.length, 50);
    const long = readState({ version: 1, selections: { a: [["x".repeat(1_001)]] } });
    assert.equal(long.ignored, ["selections.a"]);
  });
});
