import * as assert from "uvu/assert";
import { rounds } from "../../../support/layer.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { compareWorld, type Tally, hasEnough } from "./compareWorld.ts";
import { keptQueries } from "./cases.ts";
import { comparePlain } from "./comparePlain.ts";
import { openKinds } from "./openKinds.ts";
import { oracleAnswer } from "./oracleAnswer.ts";
import { openOracle, type Oracle } from "./openOracle.ts";
import { columns, randomWorld } from "./world.ts";

const queryCount = Number(
  process.env["ORACLE_QUERIES"] ?? rounds({ quick: 15, deep: 350, soak: 5000 }),
);
const onlySeed = process.env["ORACLE_SEED"];
const firstSeed = Number(process.env["SEED"] ?? 20261121);
const perWorld = 80;
/** Number of queries per part. It is so low that no part comes close to the time limit of a test. */
const perPart = 1250;

const keptWorlds = rounds({ quick: 1, deep: 3, soak: 6 });

const nothingElse = { twins: new Map(), formulas: new Map(), parameters: new Map() };

suite("core/queries/oracle", (test) => {
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

  /** Runs the queries of one world in strata, and some of them also in plugins over HTTP. */
  const sendQuery = async (seed: number, most: number, tally: Tally): Promise<void> => {
    const random = createRandom(seed);
    const world = randomWorld(random);
    const count = world.rows.length > 5 ? most : Math.min(most, 12);
    await oracle.load(world);
    const options = { columns, rows: world.rows, now: () => world.nowMs };
    const host = await sources.stored(options);
    const kinds = await openKinds(options, host.scratch, random);
    try {
      const others = kinds.hosts;
      await compareWorld({
        oracle,
        seed,
        world,
        queryCount: count,
        host,
        others,
        otherShare: rounds({ quick: 0.5, deep: 0.3 }),
        tally,
      });
    } finally {
      await kinds.close();
    }
  };
  const newTally = (): Tally => ({ requested: 0, compared: 0, withRows: 0, otherKinds: 0 });

  if (onlySeed !== undefined) {
    test("the random queries with the seed ORACLE_SEED get the same answers as from DuckDB", () =>
      sendQuery(Number(onlySeed), perWorld, newTally()));
    return;
  }

  test("queries that once revealed a bug get the same answers as from DuckDB, on every kind of source", async () => {
    for (let seed = 1; seed <= keptWorlds; seed++) {
      const random = createRandom(seed);
      const world = randomWorld(random);
      await oracle.load(world);
      const options = { columns, rows: world.rows, now: () => world.nowMs };
      const stored = await sources.stored(options);
      const kinds = await openKinds(options, stored.scratch, random);
      try {
        for (const { told, query } of keptQueries) {
          const oracleQuery = { query: query(world.zones[1] ?? "UTC"), ...nothingElse };
          const expected = await oracleAnswer(oracle, oracleQuery, world);
          for (const [name, host] of [["strata", stored] as const, ...kinds.hosts]) {
            const { data } = await host.sendQuery(oracleQuery.query);
            assert.is(comparePlain(data, expected), undefined, `${told}; world ${seed}, ${name}`);
          }
        }
      } finally {
        await kinds.close();
      }
    }
  });

  for (let part = 0; part * perPart < queryCount; part++)
    test(`random queries get the same answers from strata and from plugins over HTTP as from DuckDB (part ${part + 1})`, async () => {
      const tally = newTally();
      const wanted = Math.min(perPart, queryCount - part * perPart);
      for (let world = 0; !hasEnough(tally, { wanted, rowShare: 0.5 }); world++)
        await sendQuery(
          firstSeed + part * 10_000 + world,
          Math.min(perWorld, Math.max(wanted - tally.requested, 12)),
          tally,
        );
      assert.ok(
        tally.compared > rounds({ quick: 0.7, deep: 0.97 }) * tally.requested,
        `${tally.compared} of ${tally.requested} are certain`,
      );
      assert.ok(
        tally.withRows > 0.5 * tally.compared,
        `${tally.withRows} of ${tally.compared} have rows`,
      );
      assert.ok(
        tally.otherKinds > rounds({ quick: 0, deep: 0.2 }) * tally.compared,
        `${tally.otherKinds} also ran on another source`,
      );
    });
});
