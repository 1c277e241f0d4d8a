import type { Output, Plan, Predicate } from "../../../engine/index.ts";
import { column, compare, securityFilter, textFilter, type Filter } from "./planParts.ts";
import type { Choice, BenchQuery } from "./benchQuery.ts";
import { typesOf } from "./typesOf.ts";

const key = (name: string): Output => ({ kind: "key", of: column(name) });
const monthOf = (name: string): Output => ({
  kind: "key",
  of: { kind: "period", of: column(name), period: "month", timezone: "UTC" },
});
const sumOfX: Output = { kind: "aggregate", function: "sum", of: column("x") };
const over = (aggregate: "min" | "max" | "average" | "count" | "median", name: string): Output => ({
  kind: "aggregate",
  function: aggregate,
  of: column(name),
});
const byOutput = (output: number, descending = false) => [{ output, descending }];
const first = (count: number) => ({ count, offset: 0 });

const choice: Choice = {
  countries: ["country_03", "country_10", "country_25"],
  from: "2023-03-01",
  to: "2023-09-01",
};

/** A query before the security filter is added. */
interface UnfilteredQuery extends Omit<BenchQuery, "plan" | "duckdb" | "clickhouse" | "types"> {
  readonly plan: Omit<Plan, "table" | "filter">;
  readonly select: string;
  /** The selected columns in ClickHouse's SQL. The default is `select`. */
  readonly clickhouseSelect?: string;
  readonly from?: string;
  readonly filters?: readonly Filter[];
  /** The part of the SQL after the WHERE clause. */
  readonly rest?: string;
  readonly clickhouseRest?: string;
}

function numberFilter(name: string, operator: "<=" | ">" | ">=", value: number): Filter {
  return { plan: compare(name, operator, value), sql: `${name} ${operator} ${value}` };
}

function daysFilter(name: string, { from, to }: Choice): Filter {
  return {
    plan: {
      kind: "and",
      of: [compare(name, ">=", Date.parse(from)), compare(name, "<", Date.parse(to))],
    } satisfies Predicate,
    sql: `${name} >= TIMESTAMP '${from}' AND ${name} < TIMESTAMP '${to}'`,
  };
}

function complete(draft: UnfilteredQuery): BenchQuery {
  const {
    plan,
    select,
    clickhouseSelect,
    from,
    filters = [],
    rest,
    clickhouseRest,
    ...query
  } = draft;
  const tests = [securityFilter, ...filters];
  const sql = (columns: string, tail: string | undefined) =>
    `SELECT ${columns} FROM ${from ?? "f"} WHERE ${tests.map((test) => test.sql).join(" AND ")}${tail ? ` ${tail}` : ""}`;
  const complete: Plan = {
    ...plan,
    table: "f",
    filter: { kind: "and", of: tests.map((test) => test.plan) },
  };
  return {
    ...query,
    plan: complete,
    duckdb: sql(select, rest),
    clickhouse: sql(clickhouseSelect ?? select, clickhouseRest ?? rest).replaceAll(
      /TIMESTAMP '([^']*)'/g,
      "toDateTime64('$1', 3, 'UTC')",
    ),
    types: typesOf(complete),
  };
}

/** Sums by region, like a tile of a dashboard. */
function q2(): BenchQuery {
  return complete({
    name: "Q2",
    plan: {
      outputs: [key("s5"), sumOfX, over("average", "x"), { kind: "aggregate", function: "rows" }],
      grouped: true,
    },
    select: "s5, sum(x), avg(x), count(*)",
    rest: "GROUP BY s5",
    keyCount: 1,
    isOrdered: false,
  });
}

/** A filtered time series by day. */
function q5(name: "dt" | "dtu", picked: Choice): BenchQuery {
  return complete({
    name: name === "dt" ? "Q5" : "Q5u",
    plan: {
      outputs: [
        {
          kind: "key",
          of: { kind: "period", of: column(name), period: "day", timezone: "UTC" },
        },
        sumOfX,
      ],
      grouped: true,
      order: byOutput(0),
    },
    select: `date_trunc('day', ${name}) AS d, sum(x)`,
    clickhouseSelect: `toDate(${name}) AS d, sum(x)`,
    filters: [textFilter("s50", picked.countries), daysFilter(name, picked)],
    rest: "GROUP BY d ORDER BY d",
    keyCount: 1,
    isOrdered: true,
    choice: picked,
  });
}

/** The two queries from which concurrent callers choose. */
export const mixed = { q2, q5: (picked: Choice) => q5("dt", picked) };

/** Returns the 18 queries of the bench. */
export function createQueries(): readonly BenchQuery[] {
  const selectedRow = ["dt", "s50", "s50k", "x", "i1"].map(key);
  const oneCountry = [textFilter("s50", ["country_07"]), numberFilter("x", ">", 900)];
  const bigSums = (name: string, outputs: readonly Output[], groups: string, count: number) => ({
    name,
    plan: {
      outputs: [...outputs, sumOfX],
      grouped: true,
      order: byOutput(outputs.length, true),
      limit: first(count),
    },
    select: `${groups}, sum(x) AS s`,
    rest: `GROUP BY ${groups} ORDER BY s DESC LIMIT ${count}`,
    keyCount: outputs.length,
    isOrdered: true,
  });
  const byRegion = (
    name: string,
    output: Output,
    duckdb: string,
    clickhouse: string,
  ): UnfilteredQuery => ({
    name,
    plan: { outputs: [key("s5"), output], grouped: true },
    select: `s5, ${duckdb}`,
    clickhouseSelect: `s5, ${clickhouse}`,
    rest: "GROUP BY s5",
    keyCount: 1,
    isOrdered: false,
  });
  const byCountry = (
    name: string,
    output: Output,
    duckdb: string,
    clickhouse: string,
  ): UnfilteredQuery => ({
    ...byRegion(name, output, duckdb, clickhouse),
    plan: { outputs: [key("s50"), output], grouped: true },
    select: `s50, ${duckdb}`,
    clickhouseSelect: `s50, ${clickhouse}`,
    rest: "GROUP BY s50",
  });
  return [
    complete({
      name: "Q1",
      plan: { outputs: [sumOfX], grouped: true },
      select: "sum(x)",
      keyCount: 0,
      isOrdered: false,
    }),
    q2(),
    complete({
      name: "Q3",
      plan: { outputs: [key("s50"), key("s1000"), sumOfX], grouped: true },
      select: "s50, s1000, sum(x)",
      rest: "GROUP BY s50, s1000",
      keyCount: 2,
      isOrdered: false,
    }),
    complete(bigSums("Q3l", [key("s50"), key("s1000")], "s50, s1000", 100)),
    complete({
      name: "Q4",
      plan: {
        outputs: [monthOf("dt"), sumOfX, over("min", "x"), over("max", "x")],
        grouped: true,
        order: byOutput(0),
      },
      select: "date_trunc('month', dt) AS m, sum(x), min(x), max(x)",
      clickhouseSelect: "toStartOfMonth(dt) AS m, sum(x), min(x), max(x)",
      rest: "GROUP BY m ORDER BY m",
      keyCount: 1,
      isOrdered: true,
    }),
    q5("dt", choice),
    q5("dtu", choice),
    complete(bigSums("Q6", [key("s50k")], "s50k", 10)),
    complete(
      byRegion(
        "Q7e",
        { kind: "aggregate", function: "distinctcount", of: column("s2m") },
        "count(DISTINCT s2m)",
        "uniqExact(s2m)",
      ),
    ),
    complete({
      ...byRegion(
        "Q7a",
        { kind: "aggregate", function: "approximatedistinctcount", of: column("s2m") },
        "approx_count_distinct(s2m)",
        "uniqCombined(s2m)",
      ),
      reference: `SELECT s5, count(DISTINCT s2m) FROM f WHERE ${securityFilter.sql} GROUP BY s5`,
      // DuckDB's result was once 13 % off, so the tolerance is 20 %.
      tolerances: { 1: 0.2 },
    }),
    complete(byCountry("Q8", over("median", "x"), "median(x)", "quantileExactInclusive(0.5)(x)")),
    complete({
      ...byCountry(
        "Q8a",
        { kind: "aggregate", function: "approximatepercentile", of: column("x"), fraction: 0.5 },
        "approx_quantile(x, 0.5)",
        "quantileTDigest(0.5)(x)",
      ),
      reference: `SELECT s50, median(x) FROM f WHERE ${securityFilter.sql} GROUP BY s50`,
      tolerances: { 1: 0.03 },
    }),
    complete(bigSums("Q9", [key("s2m")], "s2m", 10)),
    complete({
      name: "Q10",
      plan: { outputs: [{ kind: "aggregate", function: "rows" }], grouped: true },
      select: "count(*)",
      filters: [
        numberFilter("x", ">", 500),
        {
          plan: { kind: "match", left: column("s50k"), match: "contains", text: "foo" },
          sql: "s50k LIKE '%foo%'",
        },
      ],
      keyCount: 0,
      isOrdered: false,
    }),
    complete({
      name: "Q11",
      plan: { outputs: selectedRow, grouped: false, limit: first(100) },
      select: "dt, s50, s50k, x, i1",
      filters: oneCountry,
      rest: "LIMIT 100",
      keyCount: 5,
      isOrdered: false,
      isChoice: true,
      reference: `SELECT dt, s50, s50k, x, i1 FROM f WHERE ${[securityFilter, ...oneCountry].map(({ sql }) => sql).join(" AND ")}`,
    }),
    // A plan can only be ordered by an output, so the answer of every system includes `y`.
    complete({
      name: "Q11b",
      plan: {
        outputs: [...selectedRow, key("y")],
        grouped: false,
        order: byOutput(5, true),
        limit: first(100),
      },
      select: "dt, s50, s50k, x, i1, y",
      filters: oneCountry,
      rest: "ORDER BY y DESC LIMIT 100",
      keyCount: 6,
      isOrdered: true,
    }),
    complete({
      name: "Q12",
      plan: {
        joins: [{ name: "dim", table: "dim", left: { name: "s50k" }, right: "s50k" }],
        outputs: [{ kind: "key", of: { kind: "column", name: "cat20", join: "dim" } }, sumOfX],
        grouped: true,
      },
      select: "cat20, sum(x)",
      from: "f JOIN dim ON f.s50k = dim.s50k",
      rest: "GROUP BY cat20",
      keyCount: 1,
      isOrdered: false,
    }),
    complete({
      name: "Q13",
      plan: {
        outputs: [monthOf("dt"), key("s5"), sumOfX, over("average", "y"), over("count", "z")],
        grouped: true,
      },
      select: "date_trunc('month', dt) AS m, s5, sum(x), avg(y), count(z)",
      clickhouseSelect: "toStartOfMonth(dt) AS m, s5, sum(x), avg(y), count(z)",
      filters: [
        textFilter("s5", ["region_1", "region_2", "region_3"]),
        numberFilter("i2", ">=", 20),
        numberFilter("i2", "<=", 79),
      ],
      rest: "GROUP BY m, s5",
      keyCount: 2,
      isOrdered: false,
    }),
  ];
}
