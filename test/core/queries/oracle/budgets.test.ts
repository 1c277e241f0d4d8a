import * as assert from "uvu/assert";
import { workBudgets, type WorkBudgets } from "../../../../core/queries/limits.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";
import { comparePlain } from "./comparePlain.ts";
import { oracleAnswer } from "./oracleAnswer.ts";
import { openOracle, type Oracle } from "./openOracle.ts";
import { randomQuery } from "./randomQuery.ts";
import { columns, randomWorld } from "./world.ts";

const worldCount = rounds({ quick: 1, deep: 8, soak: 20 });
const firstSeed = Number(process.env["SEED"] ?? 20261121);
const perWorld = rounds({ quick: 12, deep: 30 });
/**
 * Maximum number of worlds to try in addition to `worldCount`, until at least one query was answered and at least one
 * failed.
 */
const extraWorlds = 50;

suite("core/queries/oracle/budgets", (test) => {
  let oracle: Oracle;
  let sources: EverySource;
  test.before(async () => {
    oracle = await openOracle();
    sources = await openEverySource();
  });
  test.after(async () => {
    oracle.close();
    await sources.close();
  });

  test("random queries under random budgets match DuckDB or fail with 413", async () => {
    const found = { answered: 0, refused: 0 };
    const isMissingOutcome = () => found.answered === 0 || found.refused === 0;
    const isDue = (worlds: number) =>
      worlds < worldCount || (isMissingOutcome() && worlds < worldCount + extraWorlds);
    for (let worlds = 0, seed = firstSeed; isDue(worlds); seed++) {
      const random = createRandom(seed);
      const world = randomWorld(random);
      if (world.rows.length < 5) continue;
      worlds++;
      await oracle.load(world);
      const work: WorkBudgets = { ...workBudgets, ...lowered(random) };
      const host = await sources.stored({
        columns,
        rows: world.rows,
        now: () => world.nowMs,
        limits: { work },
      });
      for (let index = 0; index < perWorld; index++) {
        const oracleQuery = randomQuery(createRandom(seed * 1000 + index), world);
        const { query, parameters } = oracleQuery;
        const about = `SEED=${seed}, query ${index}: ${JSON.stringify(query)}`;
        try {
          const { data } = await host.askAs(embedOf({ parameters }), query);
          const expected = await oracleAnswer(oracle, oracleQuery, world);
          if (!expected.isDoubtful) assert.is(comparePlain(data, expected), undefined, about);
          found.answered++;
        } catch (failure) {
          if (!(failure instanceof ApiError) || failure.code !== "QUERY_TOO_MUCH_WORK")
            throw failure;
          assert.is(failure.status, 413, about);
          found.refused++;
        }
      }
    }
    assert.not(isMissingOutcome(), JSON.stringify(found));
  });
});

/** Returns some of the budgets, with random values from 1 to 100,000. */
function lowered(random: Random): Partial<WorkBudgets> {
  const terms = Object.entries(workBudgets).filter(() => random.chance(0.25));
  return Object.fromEntries(
    terms.map(([term, budget]) => [term, { ...budget, most: 10 ** random.below(6), perRow: 0 }]),
  );
}
