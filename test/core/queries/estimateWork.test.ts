import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import {
  workBudgets,
  type WorkBudget,
  type WorkBudgets,
  type WorkTerm,
} from "../../../core/queries/limits.ts";
import type { QueryFailure } from "../../../core/queries/index.ts";
import { createJoinedHost } from "../../support/joinedHost.ts";
import { createPlainHost, type PlainColumn } from "../../support/plainHost.ts";
import { refusal } from "../../support/refused.ts";
import { suite } from "../../support/suite.ts";
import { products, sales } from "./join/joinedSales.ts";

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "at", type: "datetime" },
];
const rows = [
  ["Ghent", 3, "2024-01-31T23:30:00.000Z"],
  ["Lille", 4, "2024-02-01T00:30:00.000Z"],
  [null, 5, null],
];
/** The row count that the plugin reports, although it has only three rows. */
const rowCount = 1_000;
const cityCount = 50;
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const [city, km, at] = [ref("city"), ref("km"), ref("at")];
const test1 = (expression: string, column: object, value: unknown) => ({
  expression,
  parameters: [column, value],
});
const derived = (expression: string) => ({ expression, dataset_id: "D" });
const count = ref("*", { aggregation: "count" });

/** Returns the budgets, one of them with a lower value. */
const withBudget = (term: WorkTerm, most: number): WorkBudgets => ({
  ...workBudgets,
  [term]: { ...workBudgets[term], most, perRow: 0 },
});
const open = (work: WorkBudgets = workBudgets) =>
  createPlainHost({
    columns,
    rows,
    limits: { work },
    wrap: (plugin) => ({
      ...plugin,
      sizeOf: () => ({ rowCount, textCounts: new Map([["source.city", cityCount]]) }),
    }),
  });

/** For each budget, queries with their expected cost. */
const costs: readonly (readonly [term: WorkTerm, cost: number, query: object])[] = [
  [
    "filter_values",
    5,
    {
      measures: [count],
      where: [test1("? in ?", city, ["a", "b", "c"]), { or: [test1("? not in ?", km, [1, 2])] }],
    },
  ],
  [
    "filter_values",
    2,
    {
      measures: [km],
      where: [
        test1("? in ?", city, { parameter: "p", type: "array[hierarchy]", value: ["a", "b"] }),
      ],
    },
  ],
  [
    "tests",
    3,
    {
      dimensions: [city],
      measures: [km],
      where: [test1("? = ?", km, 1), [{ and: [test1("? > ?", km, 1)] }]],
      having: [test1("? > ?", { ...km, aggregation: "sum" }, 1)],
    },
  ],
  [
    "string_tests",
    3 * cityCount,
    {
      measures: [count],
      where: [
        { or: [test1("? like ?", city, "a"), test1("? not starts with ?", city, "b")] },
        test1("? ends with ?", derived("upper({D:city})"), "c"),
      ],
    },
  ],
  [
    "string_tests",
    rowCount,
    {
      measures: [count],
      where: [test1("? like ?", derived("concat({D:city}, cast({D:km} as text))"), "a")],
    },
  ],
  [
    "row_tests",
    2 * rowCount,
    { measures: [count], where: [test1("? > ?", km, 1), test1("? = ?", city, "a")] },
  ],
  [
    "computed_values",
    3 * rowCount,
    { measures: [{ ...derived("{D:km} + 1"), aggregation: "sum" }] },
  ],
  [
    "computed_values",
    2 * cityCount,
    { measures: [{ ...derived("length({D:city})"), aggregation: "sum" }] },
  ],
  ["string_length", 52, { dimensions: [derived("concat({D:city}, 'ab')")] }],
  ["string_length", 700, { dimensions: [derived("repeat('abcdefg', 100)")] }],
  ["computed_characters", 52 * cityCount, { dimensions: [derived("concat({D:city}, 'ab')")] }],
  ["computed_characters", 90 * cityCount, { dimensions: [derived("lpad({D:city}, 90, ' ')")] }],
  [
    "computed_characters",
    150 * cityCount,
    { dimensions: [derived("replace({D:city}, 'a', 'bbb')")] },
  ],
  [
    "group_values",
    2 * cityCount,
    { dimensions: [city], measures: [km, { ...km, aggregation: "max" }] },
  ],
  ["group_values", rowCount, { dimensions: [city, km], measures: [count] }],
  [
    "combinations",
    cityCount * rowCount,
    {
      dimensions: [ref("city", { include_nonoccurring: true }), ref("at", { level: 3 })],
      measures: [km],
    },
  ],
  [
    "subqueries",
    2,
    {
      dimensions: [ref("km", { discretization: { type: "linear", bins: 5 } })],
      measures: [count],
      where: [test1("last_available", at, { unit: 5, quantity: 1 })],
    },
  ],
  [
    "subqueries",
    1,
    { dimensions: [ref("city", { include_nonoccurring: true })], measures: [count] },
  ],
  ["cells", 2 * rowCount, { dimensions: [city, km], options: { rollup_data: false } }],
  ["cells", 20, { dimensions: [city, km], options: { rollup_data: false }, limit: { by: 10 } }],
];

suite("core/queries/estimateWork", (test) => {
  for (const [index, [term, cost, query]] of costs.entries())
    test(`a query at the ${term} budget is answered, and a query above it never reaches its plugin (${index + 1})`, async () => {
      const within = await open(withBudget(term, cost));
      assert.ok((await within.sendQuery(query)).data, "at the budget");
      const host = await open(withBudget(term, cost - 1));
      const failure = await refusal(host.sendQuery(query));
      assert.equal([failure.status, failure.code], [413, "QUERY_TOO_MUCH_WORK"]);
      assert.match(failure.message, `the budget ${term}: a call may use at most ${cost - 1} `);
      assert.match(
        failure.message,
        `this call would need ${cost}. To stay within the budget: ${workBudgets[term].wayOut}`,
      );
      // The first of the two subqueries is within the budget, and runs.
      if (term !== "subqueries" || cost === 1)
        assert.equal([host.source.requested, scratchCalls(host.scratch)], [[], 0]);
    });

  test("this suite has a query for every budget", () => {
    const shown = new Set([...costs.map(([term]) => term), "joined_rows"]);
    assert.equal(
      Object.keys(workBudgets).filter((term) => !shown.has(term as WorkTerm)),
      [],
    );
  });

  test("docs/QUERIES.md lists every budget with its limits", () => {
    const page = readFileSync(new URL("../../../docs/QUERIES.md", import.meta.url), "utf8");
    const listed = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+) \| ([\d,]*) \|/gm)].map(
      ([, term, most = "", perRow = ""]) => [
        term,
        Number(most.replaceAll(",", "")),
        Number(perRow.replaceAll(",", "")),
      ],
    );
    const budgets: readonly (readonly [string, WorkBudget])[] = Object.entries(workBudgets);
    assert.equal(
      listed,
      budgets.map(([term, { most, perRow = 0 }]) => [term, most, perRow]),
    );
  });

  test("joined rows are counted once per join", async () => {
    const sendQuery = async (most: number) => {
      const host = await createJoinedHost({
        datasets: [sales, products],
        links: [["product", "sku"]],
        limits: { work: withBudget("joined_rows", most) },
      });
      return host.sendQuery({
        dimensions: [{ dataset_id: "P", column_id: "group" }],
        measures: [{ dataset_id: "S", column_id: "eur" }],
      });
    };
    assert.ok((await sendQuery(20_000)).data);
    const failure = await refusal(sendQuery(19_999));
    assert.match(failure.message, "joined_rows: a call may use at most 19999");
  });

  test("the queries of a call share its budgets, and each query that exceeds a budget fails with 413", async () => {
    const query = { measures: [count], where: [test1("? like ?", city, "a")] };
    const host = await open(withBudget("string_tests", 3 * cityCount));
    const answers = await host.askAll(Array.from({ length: 5 }, () => query));
    const codes = answers.map((answer) => (answer as unknown as QueryFailure).error?.type.code);
    const tooMuch = "QUERY_TOO_MUCH_WORK";
    assert.equal(codes, [undefined, undefined, undefined, tooMuch, tooMuch]);
    assert.is(host.source.requested.length, 3);
    assert.ok((await host.sendQuery(query)).data, "the next call starts at 0");
  });

  test("string length is limited for each query and not added up over a call", async () => {
    const host = await open(withBudget("string_length", 10));
    const query = (expression: string) => ({ dimensions: [derived(expression)] });
    const [most, more] = [query("repeat('ab', 5)"), query("repeat('ab', 6)")];
    const answers = await host.askAll([most, more, most]);
    const codes = answers.map((answer) => (answer as unknown as QueryFailure).error?.type.code);
    assert.equal(codes, [undefined, "QUERY_TOO_MUCH_WORK", undefined]);
  });

  test("a call with too many tests or list values fails before any query is parsed", async () => {
    const host = await open(withBudget("filter_values", 5));
    const query = { measures: [count], where: [test1("? in ?", city, ["a", "b"])] };
    const failure = await refusal(host.askAll([query, query, { nonsense: 1 }, query]));
    assert.match(
      failure.message,
      /^queries\[3\] exceeds the budget filter_values: .* at most 5 .* need 6\./,
    );
    assert.equal(host.source.requested, []);
  });

  test("cells of filtered or grouped answers count towards the budget of later queries in the same call", async () => {
    const query = { dimensions: [city], measures: [km] };
    const host = await open(withBudget("cells", 2 * 3 * 2));
    const answers = await host.askAll([
      query,
      { ...query, limit: { by: 3 } },
      { ...query, limit: { by: 2 } },
    ]);
    assert.is(answers.filter((answer) => "error" in answer).length, 1);
  });

  test("a budget grows with the number of rows in the dataset", async () => {
    const query = { measures: [count], where: [test1("? > ?", km, 1)] };
    const budget = { ...workBudgets.row_tests, most: 1, perRow: 1 };
    assert.ok((await (await open({ ...workBudgets, row_tests: budget })).sendQuery(query)).data);
    const lower = { ...budget, perRow: 0.5 };
    const failure = await refusal(
      (await open({ ...workBudgets, row_tests: lower })).sendQuery(query),
    );
    assert.match(failure.message, "row_tests: a call may use at most 500 ");
  });

  test("9,000 `like` tests over 80,000 strings fail, but one `like` test over 10,000,000 strings is answered", async () => {
    const host = (textCount: number) =>
      createPlainHost({
        columns,
        rows,
        wrap: (plugin) => ({
          ...plugin,
          sizeOf: () => ({
            rowCount: textCount,
            textCounts: new Map([["source.city", textCount]]),
          }),
        }),
      });
    const likes = (most: number) => ({
      measures: [count],
      where: [
        { or: Array.from({ length: most }, (_, index) => test1("? like ?", city, `e n${index}`)) },
      ],
    });
    const many = await host(80_000);
    const failure = await refusal(many.sendQuery(likes(9_000)));
    assert.match(
      failure.message,
      /string_tests: a call may use at most 200000000 .* need 720000000\./,
    );
    assert.equal(many.source.requested, []);
    assert.ok((await (await host(10_000_000)).sendQuery(likes(1))).data);
  });
});

function scratchCalls(scratch: object): number {
  return "requested" in scratch && Array.isArray(scratch.requested) ? scratch.requested.length : 0;
}
