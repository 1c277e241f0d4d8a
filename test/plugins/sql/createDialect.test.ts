import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import * as assert from "uvu/assert";
import type { Aggregation, Query } from "../../../plugins/protocol/index.ts";
import {
  cell,
  compileQuery,
  correlation,
  createDialect,
  list,
  sql,
  trusted,
  type Dialect,
  type DialectOptions,
  type Fragment,
} from "../../../plugins/sql/index.ts";
import { sqlCapabilities } from "../../../plugins/sql/sqlCapabilities.ts";
import { writeStatement } from "../../../plugins/sql/writeStatement.ts";
import { suite } from "../../support/suite.ts";

const own = { name: "Test", holdsNul: true, read: (_: unknown, quoted: Fragment) => quoted };
const all: DialectOptions = {
  ...own,
  matches: (text) => text,
  truncate: (instant) => instant,
  among: (bound) => sql`in ${bound}`,
  aggregates: { corr: correlation("corr") },
};
const column = { name: "n", nativeType: "integer", type: "numeric" as const };
const table = { schema: "s", name: "t", kind: "table" as const, columns: [column] };
const n = trusted("n");

const textOf = (fragment: Fragment, dialect: Dialect = createDialect(all)): string =>
  writeStatement(fragment, dialect).text;

function aggregated(
  dialect: Dialect,
  aggregation: Aggregation,
  more: object = {},
): string | undefined {
  const fragment = dialect.aggregate({ aggregation, expression: n, type: "numeric", ...more });
  return fragment && textOf(fragment, dialect);
}

suite("plugins/sql/createDialect", (test) => {
  test("a dialect with all its parts claims every capability that a query can use", () => {
    assert.equal(createDialect(all).capabilities, sqlCapabilities);
  });

  test("a dialect does not claim a clause that it cannot write", () => {
    const { filters, grouping, levelsAnywhere, bins } = createDialect({
      ...own,
      aggregates: { percentile: undefined },
    }).capabilities;
    assert.not(grouping?.aggregations.includes("corr"), "many databases do not have it");
    assert.equal(filters?.operators.like, undefined);
    assert.equal(grouping?.levels, []);
    assert.is(filters?.levels, false);
    assert.is(levelsAnywhere, undefined);
    assert.is(bins, true);
    assert.not(grouping?.aggregations.includes("percentile"));
    assert.not(grouping?.aggregations.includes("median"), "it is the percentile at 0.5");
    assert.is(filters?.listLength, 5000);
  });

  test("a dialect can override single capabilities and keep the others", () => {
    const more = createDialect({
      ...all,
      claims: { joins: true, filters: { listLength: 7 }, grouping: { timezones: false } },
      aggregates: { ...all.aggregates, cumulativesum: (value) => sql`running(${value})` },
    });
    const { filters, grouping } = sqlCapabilities;
    assert.equal(more.capabilities, {
      ...sqlCapabilities,
      joins: true,
      filters: { ...filters, listLength: 7 },
      grouping: {
        ...grouping,
        aggregations: [...grouping.aggregations, "cumulativesum"],
        timezones: false,
      },
    });
    assert.is(aggregated(more, "cumulativesum"), "running(n)");
  });

  test("averages and medians are written with the dialect's own sums, doubles and percentiles", () => {
    const dialect = createDialect({
      ...all,
      numbers: {
        double: (number) => sql`double(${number})`,
        finite: (number) => sql`finite(${number})`,
        sum: (number) => sql`total(${number})`,
      },
      aggregates: {
        percentile: (value, fraction) => sql`quantile(${value}, ${trusted(String(fraction))})`,
      },
    });
    assert.is(aggregated(dialect, "sum"), "finite(total(n))");
    assert.is(aggregated(dialect, "average"), "finite((double(total(n)) / count(n)))");
    assert.is(aggregated(dialect, "median"), "quantile(n, 0.5)");
    assert.is(
      aggregated(dialect, "weightedaverage", { second: trusted("w") }),
      "finite((total(double(n) * double(w)) / nullif(total(case when n is not null then double(w) end), 0)))",
    );
  });

  test("an aggregation is not written if its argument is missing or its values are not numbers", () => {
    const dialect = createDialect(all);
    assert.is(aggregated(dialect, "percentile"), undefined);
    assert.is(aggregated(dialect, "percentile", { fraction: "0.5) from t; --" }), undefined);
    assert.is(aggregated(dialect, "weightedaverage"), undefined);
    assert.is(aggregated(dialect, "corr"), undefined);
    assert.is(aggregated(dialect, "sum", { type: "hierarchy" }), undefined);
    assert.is(aggregated(dialect, "max", { type: "hierarchy" }), "max(n)");
    assert.is(aggregated(dialect, "sum", { expression: undefined }), undefined);
    assert.is(aggregated(dialect, "count", { expression: undefined }), "count(*)");
  });

  test("a native test precedes the exact test, or replaces the exact test if the native test is exact", () => {
    const tested = { left: n, right: cell("numeric", 1), type: "numeric", column } as const;
    const [inFront, instead] = [false, true].map((isExact) =>
      createDialect({
        ...all,
        native: ({ operator }) => ({ test: trusted(`own ${operator}`), isExact }),
      }),
    );
    assert.is(textOf(inFront!.equal(tested)), "(own = and n = ?)");
    assert.is(textOf(inFront!.compare({ ...tested, operator: "<" })), "(own < and n < ?)");
    assert.is(textOf(inFront!.equal({ ...tested, column: undefined })), "n = ?");
    const listed = { ...tested, right: list("numeric", [1, 2]) };
    assert.is(textOf(instead!.isIn(listed)), "own in");
    assert.is(textOf(createDialect(own).isIn(listed)), "n in (?, ?)");
  });

  test("a limit that is not a non-negative integer is never written into an SQL statement", () => {
    const dialect = createDialect(all);
    const limited = (by: unknown) => {
      const limit = { by } as NonNullable<Query["limit"]>;
      const query = { id: "t", columns: [], filters: [], limit, options: { pushdown: false } };
      return compileQuery({ query, table, dialect }).statement.text;
    };
    assert.match(limited(10), /limit 10 offset 0$/);
    for (const wrong of ["1; drop table t", -1, 0.5, Number.NaN])
      assert.throws(() => limited(wrong), /limit and offset must be whole numbers/);
  });

  test("the comments of Dialect state each default and name only proof files that exist", async () => {
    const file = new URL("../../../plugins/sql/dialect.ts", import.meta.url);
    const [, text = ""] = (await readFile(file, "utf8")).split("export interface Dialect {");
    const members = [
      ...text.matchAll(/ {2}\/\*\*(?<comment>.*?)\*\/\n {2}(?:readonly )?(?<name>\w+)/gs),
    ];
    assert.ok(
      members.length >= Object.keys(createDialect(all)).length,
      `${members.length} members`,
    );
    for (const { groups = {} } of members)
      assert.match(groups["comment"] ?? "", /@default |No default\./, groups["name"]);
    const proofs = Array.from(text.matchAll(/Proof:[\s*]+(\S+\.ts)/g), ([, proof = ""]) => proof);
    assert.ok(proofs.length > 0);
    for (const proof of proofs)
      assert.ok(existsSync(new URL(`../../../${proof}`, import.meta.url)), proof);
  });
});
