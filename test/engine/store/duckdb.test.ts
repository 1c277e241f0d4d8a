import * as assert from "uvu/assert";
import { openStore, type Plan, type Store } from "../../../engine/index.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { checkAnswer } from "../checkAnswer.ts";
import { openDuckdb, type Duckdb } from "../duckdb/openDuckdb.ts";
import { planSql } from "../duckdb/planSql.ts";
import { makePlan } from "../randomPlan.ts";
import { makeRows, makeTables } from "../randomTables.ts";
import { referenceBounds } from "../referenceEngine.ts";
import { makeFolder, toBatch, toCells } from "../tables.ts";

const of = (name: string) => ({ kind: "column", name }) as const;
const ascending = [{ output: 0, descending: false }];

/** Plans with exact answers, each with the equivalent query in handwritten SQL. */
const queries: readonly (readonly [Plan, string])[] = [
  [
    {
      table: "t",
      grouped: true,
      outputs: [
        { kind: "key", of: of("city") },
        { kind: "aggregate", function: "rows" },
        { kind: "aggregate", function: "count", of: of("small") },
        { kind: "aggregate", function: "sum", of: of("small") },
        { kind: "aggregate", function: "min", of: of("small") },
        { kind: "aggregate", function: "max", of: of("word") },
        { kind: "aggregate", function: "distinctcount", of: of("small") },
        { kind: "aggregate", function: "cumulativesum", of: of("small") },
      ],
      order: ascending,
    },
    `select city, count(*), count(small), sum(small), min(small), max(word), count(distinct small),
       sum(sum(small)) over (order by city nulls last)
     from t group by city order by city nulls last`,
  ],
  ...(["year", "quarter", "month", "week", "day"] as const).map(
    (period): readonly [Plan, string] => [
      {
        table: "t",
        grouped: true,
        outputs: [
          { kind: "key", of: { kind: "period", of: of("when"), period, timezone: "UTC" } },
          { kind: "aggregate", function: "sum", of: of("whole") },
        ],
        filter: {
          kind: "not",
          of: { kind: "match", left: of("city"), match: "contains", text: "A" },
        },
        order: ascending,
        limit: { count: 50, offset: 3 },
      },
      `select epoch_ms(date_trunc('${period}', "when")::timestamp)::double, sum(whole) from t
       where not coalesce(city ilike '%a%', false)
       group by date_trunc('${period}', "when") order by 1 nulls last limit 50 offset 3`,
    ],
  ),
  [
    {
      table: "t",
      joins: [
        { name: "c", table: "cities", left: { name: "city" }, right: "id" },
        { name: "r", table: "regions", left: { name: "region", join: "c" }, right: "id" },
      ],
      grouped: true,
      outputs: [
        { kind: "key", of: { kind: "column", name: "label", join: "r" } },
        {
          kind: "aggregate",
          function: "sum",
          of: { kind: "column", name: "population", join: "c" },
        },
      ],
      order: ascending,
    },
    `select r.label, sum(c.population) from t left join cities c on c.id = t.city
     left join regions r on r.id = c.region group by 1 order by 1 nulls last`,
  ],
];

suite("engine/store/duckdb", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let store: Store;
  let duckdb: Duckdb;
  test.before(async () => {
    folder = await makeFolder();
    store = await openStore({
      dir: folder.path,
      workers: rounds({ quick: 1, deep: 2 }),
      memoryBytes: 2 ** 28,
    });
    duckdb = await openDuckdb();
  });
  test.after(async () => {
    duckdb.close();
    await store.close();
    await folder.remove();
  });

  test("handwritten queries and random plans return the same answers as DuckDB", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const tables = makeTables({ wordCount: 500, hasExtremes: false });
      const rows = makeRows(random, tables, rounds({ quick: 500, deep: 3000 }));
      await duckdb.load(tables, rows);
      for (const { name, columns } of tables) {
        const definitions = columns.map((column) => ({ name: column.name, type: column.type }));
        await store.create({ name, columns: definitions });
        await store.append({ table: name, rows: toBatch(definitions, rows[name]) });
      }
      for (const [plan, sql] of queries) {
        const expected = (await duckdb.query(sql)).map((row) =>
          row.map((cell) => (typeof cell === "bigint" ? Number(cell) : cell)),
        );
        assert.equal(toCells(await store.query(plan)), expected, sql);
      }
      for (let round = 0; round < rounds({ quick: 3, deep: 60, soak: 400 }); round++) {
        const plan = makePlan(random, { tables, isSql: true });
        const sql = planSql(plan, tables);
        const bounds = referenceBounds(plan, rows["t"], rows);
        checkAnswer(await duckdb.query(sql), plan, bounds, `DuckDB: ${sql}`);
        checkAnswer(toCells(await store.query(plan)), plan, bounds, `the store: ${sql}`);
      }
    });
  });
});
