import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import { completeGroups } from "../../../../core/queries/finish/completeGroups.ts";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "kind", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "at", type: "datetime" },
  { id: "day", type: "datetime", subtype: "date" },
];
const rows: readonly (readonly Cell[])[] = [
  ["a", "x", 1, "2024-01-31T23:30:00.000Z", "2024-01-05T00:00:00.000Z"],
  ["a", "y", 2, "2024-04-01T12:00:00.000Z", "2024-01-08T00:00:00.000Z"],
  ["b", "x", 40, "2024-04-01T12:00:00.000Z", null],
  [null, "y", null, null, null],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const all = (column_id: string, more: object = {}) =>
  ref(column_id, { include_nonoccurring: true, ...more });
const count = { column_id: "*", dataset_id: "D", aggregation: "count" };
const text = (id: string) => ({ id, name: { en: id } });
const is = (column: string, value: Cell) => ({
  expression: "? = ?",
  parameters: [ref(column), value],
});

const numbers = () => ({ type: "numeric" as const, values: new Float64Array(0) });

suite("core/queries/finish/nonoccurring", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  test("the values of a complete dimension are the same for every way to write AND", async () => {
    const own = { expression: "? != ?", parameters: [ref("city"), "a"] };
    const other = { expression: "? > ?", parameters: [ref("km"), 15] };
    for (const [name, host] of await sources.hosts({ columns, rows }))
      for (const where of [
        [own, other],
        [[own, other]],
        [{ and: [own, other] }],
        [{ and: [{ and: [own] }, [other]] }],
        [{ or: [{ and: [own, other] }] }],
        [{ or: [[own]] }, { and: [{ or: [other] }] }],
      ]) {
        const { data } = await host.sendQuery({
          dimensions: [all("city")],
          measures: [count],
          where,
        });
        const about = `${name} ${JSON.stringify(where)}`;
        assert.equal(
          data,
          [
            [text("b"), 1],
            [null, 0],
          ],
          about,
        );
      }
  });

  test("a value whose rows are all filtered out gets a row with counts of 0 and nulls in all other measures", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const measures = [ref("km"), count, ref("km", { aggregation: "distinctcount" })];
      const answer = await host.sendQuery({
        dimensions: [all("city")],
        measures,
        where: [is("kind", "x")],
      });
      assert.equal(
        answer.data,
        [
          [text("a"), 1, 1, 1],
          [text("b"), 40, 1, 1],
          [null, null, 0, 0],
        ],
        name,
      );
      const none = await host.sendQuery({
        dimensions: [all("city")],
        measures,
        where: [is("kind", "z")],
        having: [{ expression: "? = ?", parameters: [count, 0] }],
        order: [ref("city", { order: "desc" })],
        limit: { by: 2 },
      });
      assert.equal(
        none.data,
        [
          [text("b"), null, 0, 0],
          [text("a"), null, 0, 0],
        ],
        name,
      );
    }
  });

  test("filters on a complete dimension's own column, and row filters, remove values from the dimension", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const dimensions = [all("city")];
      const own = { expression: "? != ?", parameters: [ref("city"), "b"] };
      const narrowed = await host.sendQuery({ dimensions, where: [is("kind", "x"), own] });
      assert.equal(narrowed.data, [[text("a")], [null]], name);
      const principal = embedOf({ filters: [rowFilter("city", "? = ?", "a")] });
      const query = { dimensions, where: [is("kind", "z")] };
      assert.equal((await host.askAs(principal, query)).data, [[text("a")]], name);
    }
  });

  test("a row is returned for every period and bin from the first to the last, by the clock of the time zone", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const options = { timezone_id: "Europe/Brussels" };
      const months = await host.sendQuery({
        dimensions: [all("at", { level: 3 })],
        measures: [count],
        options,
      });
      assert.equal(
        months.data,
        [
          ["2024-01-31T23:00:00.000Z", 1],
          ["2024-02-29T23:00:00.000Z", 0],
          ["2024-03-31T22:00:00.000Z", 2],
          [null, 1],
        ],
        name,
      );
      const days = await host.sendQuery({
        dimensions: [all("day", { level: 5 })],
        measures: [count],
      });
      assert.equal(
        days.data.map(([day, rowCount]) => [String(day).slice(0, 10), rowCount]),
        [
          ["2024-01-05", 1],
          ["2024-01-06", 0],
          ["2024-01-07", 0],
          ["2024-01-08", 1],
          ["null", 2],
        ],
        name,
      );
      const discretization = { type: "linear", size: 10 };
      const bins = await host.sendQuery({ dimensions: [all("km", { discretization })] });
      assert.equal(
        bins.data.map(([bin]) => bin),
        ["[ 0 - 10 [", "[ 10 - 20 [", "[ 20 - 30 [", "[ 30 - 40 [", "[ 40 - 50 [", null],
        name,
      );
    }
  });

  test("each value of a complete dimension is combined with each occurring combination of the other dimensions", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const of = async (...dimensions: readonly object[]) =>
        (await host.sendQuery({ dimensions, measures: [count] })).data;
      const [a, b, x, y] = ["a", "b", "x", "y"].map(text);
      const expected = [
        [a, x, 1],
        [a, y, 1],
        [b, x, 1],
        [b, y, 0],
        [null, x, 0],
        [null, y, 1],
      ];
      assert.equal(await of(all("city"), ref("kind")), expected, name);
      assert.equal(await of(all("city"), all("kind")), expected, name);
    }
  });

  test("cumulative sums do not change in rows that are added for values without rows", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const answer = await host.sendQuery({
        dimensions: [all("city")],
        measures: [ref("km", { aggregation: "cumulativesum" })],
        where: [is("kind", "x")],
        order: [ref("city", { order: "desc" })],
      });
      assert.equal(
        answer.data,
        [
          [text("b"), 40],
          [text("a"), 41],
          [null, 41],
        ],
        name,
      );
    }
  });

  test("complete dimensions keep all occurring groups and add only groups without rows", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let index = 0; index < rounds({ quick: 6, deep: 40 }); index++) {
        const made = Array.from({ length: random.below(30) }, (): Cell[] => [
          random.pick(["a", "b", "c", null]),
          random.pick(["x", "y", null]),
          random.below(5),
          null,
          null,
        ]);
        const host = await createPlainHost({ columns, rows: made });
        const where = [is("km", random.below(5))];
        const sendQuery = async (dimensions: readonly object[]) =>
          (await host.sendQuery({ dimensions, measures: [count], where })).data;
        const plain = await sendQuery([ref("city"), ref("kind")]);
        const complete = await sendQuery([all("city"), ref("kind")]);
        assert.equal(
          complete.filter((row) => row[2] !== 0),
          plain,
        );
        const kinds = new Set(plain.map((row) => JSON.stringify(row[1]))).size;
        const cities = new Set(made.map(([city]) => city)).size;
        assert.is(complete.length, kinds * cities);
      }
    });
  });

  test("a query with too many combinations fails before any of them is built", () => {
    const keys = ["a", "b", "c"].map((column_id) => ({ column_id }));
    const empty = { rowCount: 0, columns: keys.map(() => numbers()) };
    const many = Array.from({ length: 100_000 }, (_, value) => value);
    const domains = keys.map((_, column) => ({ column, values: many }));
    const steps = completeGroups(empty, keys, domains, 1_000_000);
    assert.throws(
      () => {
        while (!steps.next().done);
      },
      (error: unknown) =>
        error instanceof ApiError &&
        error.status === 413 &&
        /creates 1000000000000000 rows \(1 x 100000 x 100000 x 100000 values\)/.test(error.message),
    );
  });

  test("`include_nonoccurring` has no effect on plain rows, and fails if it makes too many combinations", async () => {
    const host = await createPlainHost({
      columns,
      rows,
      limits: { answerRowCount: 8, periodCount: 3 },
    });
    const raw = { dimensions: [all("city")], options: { rollup_data: false } };
    assert.is((await host.sendQuery(raw)).data.length, 4);
    const seconds = host.sendQuery({ dimensions: [all("at", { level: 8 })] });
    const tooFine = await refusal(seconds);
    assert.is(tooFine.code, "MEMBER_INVALID");
    assert.match(tooFine.message, /dimensions\[0\]\.include_nonoccurring.*more than 3 periods/);
    assert.is((await host.sendQuery({ dimensions: [all("at", { level: 2 })] })).data.length, 3);
    const many = host.sendQuery({
      dimensions: [all("city"), all("kind"), all("at", { level: 2 })],
    });
    const refused = await refusal(many);
    assert.is(refused.code, "QUERY_TOO_MANY_COMBINATIONS");
    assert.match(
      refused.message,
      /creates \d+ rows \(1 x 3 x 2 x 3 values\), .* at most 8: omit it/,
    );
    const wrong = host.sendQuery({ dimensions: [ref("city", { include_nonoccurring: "yes" })] });
    assert.match(
      (await refusal(wrong)).message,
      /dimensions\[0\]\.include_nonoccurring.*true or false/,
    );
  });
});
