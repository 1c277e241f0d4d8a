import * as assert from "uvu/assert";
import type { RowFilter } from "../../../../core/base/contracts/index.ts";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import type { PlainColumn, PlainHost } from "../../../support/plainHost.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, override, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "double", type: "numeric", expression: "{D:km} * 2" },
];
const rows: readonly (readonly Cell[])[] = [
  ["Ghent", 1],
  ["Ghent", 2],
  ["Lille", 4],
  ["Lille", 8],
  ["Paris", null],
  [null, 16],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const having = (expression: string, value?: unknown, column = "km"): RowFilter => ({
  ...rowFilter(column, expression, value),
  clause: "having",
});
const count = ref("*", { aggregation: { type: "count" } });
const byCity = { dimensions: [ref("city")], measures: [count], options: { cells: "plain" } };

suite("core/queries/secure/addHavingFilters", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());
  const hosts = () => sources.hosts({ columns, rows });
  const requesting =
    (host: PlainHost, filters: readonly RowFilter[], parameters = {}) =>
    async (find: object) =>
      (await host.askAs(embedOf({ filters, ...parameters }), find)).data;

  test("a token's `having` filter keeps only the groups whose sum passes, whatever the query requests", async () => {
    for (const [name, host] of await hosts()) {
      const far = requesting(host, [having("? > ?", 3)]);
      assert.equal(
        await far(byCity),
        [
          ["Lille", 2],
          [null, 1],
        ],
        name,
      );
      assert.equal(await far({ ...byCity, measures: [] }), [["Lille"], [null]], name);
      assert.equal(await far({ measures: [count] }), [[6]], name);
      const requested = {
        expression: "? < ?",
        parameters: [ref("km", { aggregation: { type: "sum" } }), 16],
      };
      assert.equal(await far({ ...byCity, having: [requested] }), [["Lille", 2]], name);
      assert.equal(await requesting(host, [having("? > ?", 31)])({ measures: [count] }), [], name);
      assert.equal(await requesting(host, [having("? is null")])(byCity), [["Paris", 1]], name);
      assert.equal(await requesting(host, [having("? in ?", [])])(byCity), [], name);
      const both = [having("? > ?", 3), rowFilter("city", "? is not null")];
      assert.equal(await requesting(host, both)(byCity), [["Lille", 2]], name);
      assert.equal(
        await requesting(host, [having("? > ?", 23, "double")])(byCity),
        [
          ["Lille", 2],
          [null, 1],
        ],
        name,
      );
    }
  });

  test("a `having` filter tests each row's value in a query for plain rows", async () => {
    for (const [name, host] of await hosts()) {
      const far = requesting(host, [having("? > ?", 3)]);
      const raw = {
        dimensions: [ref("city"), ref("km")],
        options: { rollup_data: false, cells: "plain" },
      };
      assert.equal(
        await far(raw),
        [
          ["Lille", 4],
          ["Lille", 8],
          [null, 16],
        ],
        name,
      );
    }
  });

  test("a parameter sets the value of a `having` filter, and clearing the parameter removes the test", async () => {
    for (const [name, host] of await hosts()) {
      const filters = [having("? > ?", { parameter: "metadata.least", type: "numeric", value: 3 })];
      const countWith = async (...given: Parameters<typeof override>) =>
        (
          await requesting(host, filters, { parameters: new Map([["least", override(...given)]]) })(
            byCity,
          )
        ).length;
      assert.is((await requesting(host, filters)(byCity)).length, 2, name);
      assert.is(await countWith(12), 1, name);
      assert.is(await countWith(undefined, { clear: true }), 4, name);
    }
  });

  test("a `having` filter that cannot be applied makes the dataset unavailable", async () => {
    for (const [name, host] of await hosts())
      for (const filter of [
        having("? > ?", 3, "nosuch"),
        having("? = ?", "Ghent", "city"),
        having("? > ?", "far"),
        having("? resembles ?", 3),
        having("? > ?", { parameter: "metadata.least", type: "numeric" }),
      ])
        assert.is(
          (await refusal(requesting(host, [filter])(byCity))).code,
          "ROWS_CLOSED",
          `${name}: ${JSON.stringify(filter)}`,
        );
  });
});
