import { suite } from "../support/suite.ts";
import { createRandom, withSeed } from "../support/random.ts";
import { checkAnswer } from "./checkAnswer.ts";
import { openDuckdb, type Duckdb } from "./duckdb/openDuckdb.ts";
import { planSql } from "./duckdb/planSql.ts";
import { makePlan } from "./randomPlan.ts";
import { referenceBounds } from "./referenceEngine.ts";
import { makeRows, makeTables } from "./randomTables.ts";

suite("engine/referenceEngine", (test) => {
  let duckdb: Duckdb;
  test.before(async () => void (duckdb = await openDuckdb()));
  test.after(async () => duckdb.close());

  for (const [rowCount, rounds] of [
    [0, 40],
    [1, 60],
    [2, 20],
    [700, 120],
  ] as const)
    (rowCount === 2 ? test : test.deep)(
      `for random plans over ${rowCount} rows, the row-at-a-time engine returns the same answers as DuckDB`,
      async () => {
        const random = createRandom();
        await withSeed(random, async () => {
          const tables = makeTables({ wordCount: 1 + random.below(600), hasExtremes: false });
          const rows = makeRows(random, tables, rowCount);
          await duckdb.load(tables, rows);
          for (let round = 0; round < rounds; round++) {
            const plan = makePlan(random, { tables, isSql: true });
            const sql = planSql(plan, tables);
            const label = `${sql}\n${JSON.stringify(plan)}`;
            const found = await duckdb.query(sql).catch((cause: unknown) => {
              throw new Error(label, { cause });
            });
            checkAnswer(found, plan, referenceBounds(plan, rows["t"], rows), label);
          }
        });
      },
    );
});
