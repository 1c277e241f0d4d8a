import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createRandom } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { compareAnswers, compareChoice } from "./compareAnswers.ts";
import { createQueries } from "./queries.ts";
import type { Question } from "./question.ts";
import { drawQuestions } from "./randomQueries.ts";
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
    ours = await openStrataStore({ ...request, name: "strata", dir: join(dir, "strata") });
    duckdb = await openDuckdb({ ...request, name: "duckdb-enum", dir: join(dir, "duckdb-enum") });
  });

  test.after(async () => {
    await ours?.close();
    await duckdb?.close();
    await rm(dir, { recursive: true, force: true });
  });

  const cellsOf = async (system: System | undefined, question: Question) =>
    toCells((await system!.ask(question, 0)).rows, question.types);

  for (const question of createQueries())
    test(`the store answers ${question.name} as DuckDB does`, async () => {
      const actual = await cellsOf(ours, question);
      const expected = await cellsOf(duckdb, {
        ...question,
        duckdb: question.reference ?? question.duckdb,
      });
      const compare = question.isChoice ? compareChoice : compareAnswers;
      // The bench bears with what the peers' sketches err; ours promise more.
      const strict = { ...question, ...(question.tolerances && { tolerances: { 1: 0.03 } }) };
      assert.is(compare(expected, actual, strict), undefined, question.duckdb);
    });

  test("the store answers questions drawn from the plan grammar as DuckDB does", async () => {
    const random = createRandom();
    const differences: string[] = [];
    for (const question of drawQuestions(random.seed, 40)) {
      const difference = await cellsOf(ours, question).then(
        async (actual) => compareAnswers(await cellsOf(duckdb, question), actual, question),
        (error: unknown) => String(error),
      );
      if (difference !== undefined)
        differences.push(`${difference}\n${question.duckdb}\n${JSON.stringify(question.plan)}`);
    }
    assert.is(differences.join("\n\n"), "", `SEED=${random.seed}`);
  });
});
