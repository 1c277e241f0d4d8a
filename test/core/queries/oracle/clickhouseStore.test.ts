import * as assert from "uvu/assert";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseClusterStore } from "../../../support/clickhouseClusterStore.ts";
import { openClickhouseStore } from "../../../support/clickhouseStore.ts";
import { openEverySource, type EverySource, type OpenStore } from "../../../support/everySource.ts";
import { layer, rounds } from "../../../support/layer.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { compareWorld, type Tally, hasEnough } from "./compareWorld.ts";
import { keptQueries } from "./cases.ts";
import { comparePlain } from "./comparePlain.ts";
import { oracleAnswer } from "./oracleAnswer.ts";
import { openOracle, type Oracle } from "./openOracle.ts";
import { columns, randomWorld } from "./world.ts";

const queryCount = Number(
  process.env["ORACLE_QUERIES"] ?? rounds({ quick: 4, deep: 100, soak: 1500 }),
);
const firstSeed = Number(process.env["ORACLE_SEED"] ?? process.env["SEED"] ?? 20261121);
const keptWorlds = rounds({ quick: 1, deep: 2, soak: 4 });
const perWorld = 80;
const nothingElse = { twins: new Map(), formulas: new Map(), parameters: new Map() };

const stores: readonly (readonly [name: string, open: OpenStore, pushCount: number])[] = [
  ["ClickHouse", openClickhouseStore, 1],
  ...(layer === "deep"
    ? [["two shards of ClickHouse", openClickhouseClusterStore, 4] as const]
    : []),
];

for (const [name, open, pushCount] of stores)
  suite(
    `core/queries/oracle, with ${name} as the store`,
    (test) => {
      let oracle: Oracle;
      let sources: EverySource;
      test.before(async () => {
        oracle = await openOracle();
        sources = await openEverySource(open, { pushCount });
      });
      test.after(async () => {
        oracle.close();
        await sources.close();
      });

      test("queries that once revealed a bug get the same answers as from DuckDB", async () => {
        for (let seed = 1; seed <= keptWorlds; seed++) {
          const world = randomWorld(createRandom(seed));
          await oracle.load(world);
          const options = { columns, rows: world.rows, now: () => world.nowMs };
          const host = await sources.stored(options);
          for (const { told, query } of keptQueries) {
            const oracleQuery = { query: query(world.zones[1] ?? "UTC"), ...nothingElse };
            const expected = await oracleAnswer(oracle, oracleQuery, world);
            const { data } = await host.sendQuery(oracleQuery.query);
            assert.is(comparePlain(data, expected), undefined, `${told}; world ${seed}`);
          }
        }
      });

      test("random queries get the same answers as from DuckDB", async () => {
        const tally: Tally = { requested: 0, compared: 0, withRows: 0, otherKinds: 0 };
        const enough = { wanted: queryCount, rowShare: 0.4 };
        for (let seed = firstSeed; !hasEnough(tally, enough); seed++) {
          const world = randomWorld(createRandom(seed));
          await oracle.load(world);
          const host = await sources.stored({
            columns,
            rows: world.rows,
            now: () => world.nowMs,
          });
          const most = world.rows.length > 5 ? perWorld : 12;
          await compareWorld({
            oracle,
            seed,
            world,
            queryCount: Math.min(most, Math.max(queryCount - tally.requested, 4)),
            host,
            others: [],
            otherShare: 0,
            tally,
          });
        }
        assert.ok(
          tally.compared > rounds({ quick: 0.5, deep: 0.9 }) * tally.requested,
          JSON.stringify(tally),
        );
        assert.ok(tally.withRows > 0.4 * tally.compared, JSON.stringify(tally));
      });
    },
    needsClickhouse,
  );
