import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createRandom } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { compareAnswers, compareChoice } from "./compareAnswers.ts";
import { createQueries } from "./queries.ts";
import type { BenchQuery } from "./benchQuery.ts";
import { drawQueries } from "./randomQueries.ts";
import { openDuckdb } from "./systems/openDuckdb.ts";
import { openStrataStore } from "./systems/openStrataStore.ts";
import type { System } from "./systems/system.ts";
import { toCells } from "./toCells.ts";
import { writeParquet } from "./writeParquet.ts";

const rowCount = 100_000;
const seed = 7;

suite("bench/strata/answers", (test) => {
  let dir = "";
  let ours: System | undefined;
  let duckdb: System | undefined;

  test.before(async () => {
    dir = await mkdtemp(join(tmpdir(), "manifold-answers-"));
    const files = await writeParquet(rowCount, seed, join(dir, "parquet"));
    const request = { rowCount, seed, files, callers: 1 };
    for (const name of ["strata", "duckdb-enum"]) await mkdir(join(dir, name));
    ours = await openStrataStore({
      ...request,
      name: "strata",
      dir: join(dir, "strata"),
      isWarm: true,
    });
    duckdb = await openDuckdb({ ...request, name: "duckdb-enum", dir: join(dir, "duckdb-enum") });
  });

  test.after(async () => {
    await ours?.close();
    await duckdb?.close();
    await rm(dir, { recursive: true, force: true });
  });

  const cellsOf = async (system: System | undefined, query: BenchQuery) =>
    toCells((await system!.query(query, 0)).rows, query.types);

  for (const query of createQueries())
    test.deep(
      `the store and DuckDB give the same answer to the bench query ${query.name}`,
      async () => {
        const actual = await cellsOf(ours, query);
        const expected = await cellsOf(duckdb, {
          ...query,
          duckdb: query.reference ?? query.duckdb,
        });
        const compare = query.isChoice ? compareChoice : compareAnswers;
        // The bench tolerates the errors of the peers' sketches. Our store promises smaller errors.
        const strict = { ...query, ...(query.tolerances && { tolerances: { 1: 0.03 } }) };
        assert.is(compare(expected, actual, strict), undefined, query.duckdb);
      },
    );

  test.deep(
    "the store and DuckDB give the same answers to random queries from the grammar of plans",
    async () => {
      const random = createRandom();
      const differences: string[] = [];
      for (const query of drawQueries(random.seed, 40)) {
        const difference = await cellsOf(ours, query).then(
          async (actual) => compareAnswers(await cellsOf(duckdb, query), actual, query),
          (error: unknown) => String(error),
        );
        if (difference !== undefined)
          differences.push(`${difference}\n${query.duckdb}\n${JSON.stringify(query.plan)}`);
      }
      assert.is(differences.join("\n\n"), "", `SEED=${random.seed}`);
    },
  );
});
