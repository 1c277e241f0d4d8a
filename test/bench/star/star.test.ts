import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { cellsOf, openStar } from "./openStar.ts";
import { starQuestions } from "./starQuestions.ts";

suite("bench/star", (test) => {
  test.deep("the thirteen questions have the same answers as in DuckDB", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const dir = await mkdtemp(join(tmpdir(), "manifold-star-"));
      const star = await openStar({
        rowCount: 200_000,
        seed: random.below(1e6),
        threads: 2,
        dir,
      });
      try {
        for (const { name, plan, sql } of starQuestions)
          assert.equal(cellsOf(await star.store.query(plan)), await star.sql(sql), name);
      } finally {
        await star.close();
        await rm(dir, { recursive: true, force: true });
      }
    });
  });
});
