import * as assert from "uvu/assert";
import { wrongNarrowing } from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/protocol/narrowing", (test) => {
  test("every member of a narrowing is optional, and unknown members and operators are accepted", () => {
    const sound = [
      {},
      { filters: {} },
      { filters: { "=": "superset", "not in": "none" }, reason: "the collation ignores case" },
      { grouping: false, order: false, aggregations: ["sum", "median"] },
      { filters: { matches: "exact" }, later: true },
    ];
    for (const narrowed of sound) assert.is(wrongNarrowing(narrowed), undefined);
  });

  test("a narrowing can only withdraw promises, with superset, none or false", () => {
    const wrong: readonly (readonly [unknown, string])[] = [
      [{ filters: { "=": "exact" } }, "narrowed.filters.="],
      [{ filters: { in: true } }, "narrowed.filters.in"],
      [{ filters: [] }, "narrowed.filters"],
      [{ grouping: true }, "narrowed.grouping"],
      [{ order: true }, "narrowed.order"],
      [{ order: null }, "narrowed.order"],
      [{ aggregations: ["mode"] }, "narrowed.aggregations.0"],
      [{ aggregations: "sum" }, "narrowed.aggregations"],
      [{ reason: 7 }, "narrowed.reason"],
      [{ reason: "x".repeat(501) }, "narrowed.reason"],
      ["all", "narrowed"],
      [null, "narrowed"],
      [[], "narrowed"],
    ];
    for (const [narrowed, member] of wrong) {
      const found = wrongNarrowing(narrowed);
      assert.ok(found?.startsWith(`${member} `), `${JSON.stringify(narrowed)}: ${found}`);
    }
  });
});
