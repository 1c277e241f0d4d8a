import { DuckDBInstance } from "@duckdb/node-api";
import * as assert from "uvu/assert";
import { openStore, type ColumnDefinition, type Plan } from "../../../engine/index.ts";
import { suite } from "../../support/suite.ts";
import { createRandom } from "../../support/random.ts";
import type { Row } from "../referenceEngine.ts";
import { makeFolder, toBatch, toCells } from "../tables.ts";

const columns: readonly ColumnDefinition[] = [
  { name: "n", type: "number" },
  { name: "w", type: "datetime" },
  { name: "s", type: "text" },
];
const of = (name: string) => ({ kind: "column", name }) as const;
const byAll = (count: number) =>
  Array.from({ length: count }, (_, output) => ({ output, descending: false }));

/** Pairs of a plan and the same question in SQL. Instants are whole days in UTC, so no time zone extension is needed. */
const questions: readonly (readonly [Plan, string])[] = [
  [
    {
      table: "t",
      grouped: true,
      outputs: [
        { kind: "key", of: of("s") },
        { kind: "aggregate", function: "rows" },
        { kind: "aggregate", function: "count", of: of("n") },
        { kind: "aggregate", function: "sum", of: of("n") },
        { kind: "aggregate", function: "average", of: of("n") },
        { kind: "aggregate", function: "min", of: of("n") },
        { kind: "aggregate", function: "max", of: of("s") },
        { kind: "aggregate", function: "distinctcount", of: of("n") },
      ],
      order: byAll(1),
    },
    "select s, count(*), count(n), sum(n), avg(n), min(n), max(s), count(distinct n) from t group by s order by s nulls last",
  ],
  ...(["year", "quarter", "month", "week", "day"] as const).map(
    (period): readonly [Plan, string] => [
      {
        table: "t",
        grouped: true,
        outputs: [
          { kind: "key", of: { kind: "period", of: of("w"), period, timezone: "UTC" } },
          { kind: "aggregate", function: "sum", of: of("n") },
        ],
        filter: { kind: "not", of: { kind: "match", left: of("s"), match: "contains", text: "A" } },
        order: byAll(1),
        limit: { count: 50, offset: 3 },
      },
      `select epoch_ms(date_trunc('${period}', w)::timestamp)::double, sum(n) from t where not coalesce(s ilike '%a%', false) group by date_trunc('${period}', w) order by 1 nulls last limit 50 offset 3`,
    ],
  ),
];

suite("engine/store/duckdb", (test) => {
  test("answers as DuckDB does", async () => {
    const random = createRandom();
    const rows: Row[] = Array.from({ length: 3000 }, () => ({
      n: random.below(9) === 0 ? null : random.below(1000) / 4,
      w: random.below(9) === 0 ? null : (random.below(40_000) - 20_000) * 86_400_000,
      s:
        random.below(9) === 0
          ? null
          : random.pick(["a", "b", "A", "\uFF5E", "\u{1F600}", "Zz", ""]),
    }));
    const folder = await makeFolder();
    const store = await openStore({ dir: folder.path, workers: 2, memoryBytes: 2 ** 28 });
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    const connection = await instance.connect();
    try {
      await store.create({ name: "t", columns });
      await store.append({ table: "t", rows: toBatch(columns, rows) });
      const literal = (text: unknown) => (text === null ? "null" : `'${String(text)}'`);
      const values = rows.map(
        ({ n, w, s }) =>
          `(${n ?? "null"}, ${w === null ? "null" : `make_timestamp(${w}000::bigint)`}, ${literal(s)})`,
      );
      await connection.run(
        `create table t as select n::double as n, w::timestamp as w, s::varchar as s from (values ${values.join(",")}) v(n, w, s)`,
      );
      for (const [plan, sql] of questions) {
        const expected = (await connection.runAndReadAll(sql))
          .getRows()
          .map((row) => row.map((cell) => (typeof cell === "bigint" ? Number(cell) : cell)));
        assert.equal(toCells(await store.query(plan)), expected, `SEED=${random.seed} ${sql}`);
      }
    } finally {
      connection.closeSync();
      instance.closeSync();
      await store.close();
      await folder.remove();
    }
  });
});
