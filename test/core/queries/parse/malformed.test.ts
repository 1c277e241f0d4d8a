import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import { createPlainHost } from "../../../support/plainHost.ts";
import { createRandom } from "../../../support/random.ts";
import { spoil } from "../../../support/spoil.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20260921);
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });

const query = {
  dimensions: [ref("city"), ref("at", { level: 3 })],
  measures: [ref("km", { aggregation: { type: "sum" } }), ref("*", { aggregation: "count" })],
  where: [
    { expression: "? in ?", parameters: [ref("city"), ["a", null]] },
    {
      or: [
        { expression: "? > ?", parameters: [ref("km"), 1] },
        [{ expression: "? is null", parameters: [ref("at")] }],
      ],
    },
  ],
  having: [{ expression: "? between ?", parameters: [ref("km", { aggregation: "sum" }), [1, 2]] }],
  order: [ref("city", { order: "desc" })],
  limit: { by: 5, offset: 1 },
  options: { timezone_id: "Europe/Brussels", rollup_data: true, paging: { by: 2, offset: 0 } },
};

/**
 * A query with all clauses for which the host needs a second step: a number of bins, last values, complete dimensions,
 * expressions and formulas.
 */
const elaborate = {
  dimensions: [
    ref("km", { discretization: { type: "linear", bins: 3 }, include_nonoccurring: true }),
    { expression: "upper({D:city}) || '!'", dataset_id: "D" },
  ],
  measures: [
    { formula: "SUM({D:km}) / COUNTR()" },
    ref("km", { aggregation: { type: "percentile", fraction: 0.5 } }),
    ref("km", { aggregation: { type: "weightedaverage", column_id: "km", dataset_id: "D" } }),
    ref("km", { aggregation: "cumulativesum" }),
  ],
  where: [
    { expression: "last_available", parameters: [ref("at"), { unit: 3, quantity: 2 }] },
    { expression: "YTD", parameters: [ref("at")] },
  ],
  having: [{ expression: "? > ?", parameters: [{ formula: "COUNTR()", dataset_id: "D" }, 0] }],
  order: [{ formula: "SUM({D:km}) / COUNTR()", order: "desc" }],
};

suite("core/queries with malformed requests", (test) => {
  test("any request is answered or fails with a 4xx", async () => {
    const columns = [
      { id: "city", type: "hierarchy" },
      { id: "km", type: "numeric" },
      { id: "at", type: "datetime" },
    ] as const;
    const host = await createPlainHost({ columns, rows: [["a", 2, "2024-01-31T23:30:00.000Z"]] });
    assert.is((await host.sendQuery(query)).data.length, 0);
    assert.is((await host.sendQuery(elaborate)).data.length, 0);
    let refused = 0;
    for (let index = 0; index < rounds({ quick: 1_050, deep: 3_000 }); index++) {
      const random = createRandom(seed + index);
      const sound = random.pick([query, elaborate]);
      let find: unknown = random.chance(0.3) ? { queries: [sound] } : sound;
      for (let count = 1 + random.below(2); count > 0; count--) find = spoil(find, random);
      try {
        await host.sendQuery(find);
      } catch (failure) {
        const about = `SEED=${seed + index} ${JSON.stringify(find)?.slice(0, 2_000)} ${String(failure)}`;
        assert.instance(failure, ApiError, about);
        assert.ok((failure as ApiError).status < 500, about);
        assert.ok((failure as ApiError).message.length < 3_000, about);
        refused++;
      }
    }
    assert.ok(
      refused > rounds({ quick: 330, deep: 1_000 }) &&
        refused < rounds({ quick: 1050, deep: 3_000 }),
    );
  });
});
