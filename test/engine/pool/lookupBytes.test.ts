import * as assert from "uvu/assert";
import type { BoundValue } from "../../../engine/expressions/boundValue.ts";
import { indexRows } from "../../../engine/joins/rowIndex.ts";
import type { BoundPlan } from "../../../engine/plan/boundPlan.ts";
import { lookupBytes } from "../../../engine/pool/lookupBytes.ts";
import { suite } from "../../support/suite.ts";

suite("engine/pool/lookupBytes", (test) => {
  test("tables that are read by number or by code count, and those of tests by code do not", () => {
    const column = { kind: "column", column: 0 } as const;
    const index = indexRows(Float64Array.of(0.5, 1.5, 2.5), {
      table: "people",
      name: "id",
      type: "number",
    });
    const found: BoundValue = { kind: "rowOf", of: column, index };
    const plan: BoundPlan = {
      rowCount: 1,
      laneCount: 1,
      columns: [],
      order: [],
      filter: {
        kind: "and",
        of: [
          { kind: "lookup", column: 0, passes: new Uint8Array(100) },
          { kind: "lookupNumber", of: column, base: 0, passes: new Uint8Array(7) },
        ],
      },
      cells: [
        {
          kind: "number",
          of: { kind: "byNumber", of: found, base: 1, values: new Float64Array(4) },
        },
        { kind: "number", of: { kind: "byCode", column: 0, values: new Float64Array(1000) } },
      ],
    };
    assert.is(index.kind, "hash");
    assert.is(lookupBytes(plan), 7 + 4 * 8 + 1000 * 8 + 8 * (8 + 4));
  });
});
