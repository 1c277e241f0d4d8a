import * as assert from "uvu/assert";
import type { Expression, Plan } from "../../../../engine/index.ts";
import { plannedColumns } from "../../../../engine/store/queries/plannedColumns.ts";
import { suite } from "../../../support/suite.ts";

const column = (name: string, join?: string): Expression => ({
  kind: "column",
  name,
  ...(join !== undefined && { join }),
});
const named = (plan: Plan) =>
  Object.fromEntries([...plannedColumns(plan)].map(([table, names]) => [table, [...names].sort()]));

suite("engine/store/queries/plannedColumns", (test) => {
  test("the columns of a plan include those of outputs, filters and joins, listed by table", () => {
    const branch: Extract<Expression, { kind: "case" }>["branches"][number] = {
      when: { kind: "isNull", left: column("f", "c") },
      // oxlint-disable-next-line unicorn/no-thenable -- the plan's own word
      then: column("g"),
    };
    assert.equal(
      named({
        table: "sales",
        grouped: true,
        joins: [
          { name: "c", table: "customers", left: { name: "customer" }, right: "id" },
          {
            name: "r",
            table: "regions",
            left: { name: "region", join: "c" },
            right: "code",
            filter: { kind: "isNull", left: column("open") },
          },
        ],
        outputs: [
          {
            kind: "key",
            of: { kind: "period", of: column("day"), period: "day", timezone: "UTC" },
          },
          { kind: "key", of: { kind: "case", branches: [branch], otherwise: column("h", "r") } },
          {
            kind: "aggregate",
            function: "weightedaverage",
            of: { kind: "call", function: "abs", of: [column("x")] },
            weight: column("w"),
          },
        ],
        filter: {
          kind: "not",
          of: {
            kind: "or",
            of: [{ kind: "in", left: column("z", "c"), values: ["a", null] }],
          },
        },
      }),
      {
        sales: ["customer", "day", "g", "w", "x"],
        customers: ["f", "id", "region", "z"],
        regions: ["code", "h", "open"],
      },
    );
  });

  test("a plan without columns lists only its table, and unknown joins are ignored until the plan is bound", () => {
    assert.equal(
      named({
        table: "t",
        grouped: true,
        outputs: [{ kind: "aggregate", function: "rows" }],
        filter: { kind: "isNull", left: column("x", "nothing") },
      }),
      { t: [] },
    );
  });
});
