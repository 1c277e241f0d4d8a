import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { runMoveCommand } from "../../../../core/operating/move/index.ts";
import { openTestCatalog } from "../../../support/catalog.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore } from "../../../support/clickhouseStore.ts";
import { startHostProcess } from "../../../support/hostProcess.ts";
import { rounds } from "../../../support/layer.ts";
import { testSecret } from "../../../support/openTestHost.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly columns: readonly { id: string }[] }[];
}
interface Answer {
  readonly data: readonly (readonly unknown[])[];
  readonly explain: unknown;
}

const rowCount = 10_000;
const datasetCount = 6;
const killCount = rounds({ quick: 1, deep: 5, soak: 40 });

suite(
  "core/operating/move: a host that is killed",
  (test) => {
    test.deep(
      "a move that kill -9 interrupts continues later, in either direction, and loses no rows",
      async () => {
        const random = createRandom();
        await withSeed(random, async () => {
          const catalog = await openTestCatalog();
          const store = await openClickhouseStore();
          const dataDir = mkdtempSync(join(tmpdir(), "manifold-move-killed-"));
          const start = (slug: string) =>
            startHostProcess(dataDir, {
              DATABASE_URL: catalog.databaseUrl,
              MANIFOLD_SECRET: testSecret,
              MANIFOLD_WARM_UP: "off",
              MANIFOLD_WORKERS: "1",
              MANIFOLD_LOG_LEVEL: "error",
              MANIFOLD_STORE: slug,
              MANIFOLD_CLICKHOUSE_URL: store.settings.clickhouseUrl,
              MANIFOLD_CLICKHOUSE_DATABASE: store.settings.clickhouseDatabase,
            });
          let host = await start("strata");
          try {
            const made: { id: string; columnIds: string[] }[] = [];
            for (let each = 0; each < datasetCount; each++) {
              const data = Array.from({ length: rowCount }, (_, row) => [
                row % 9 === 0 ? null : row * (each + 1),
                `word ${row % 13}`,
              ]);
              const { rows } = await host.client.create<Pushed>("data", {
                type: "create",
                data,
                options: { header: ["n", "word"] },
              });
              const { id = "", columns = [] } = rows[0] ?? {};
              made.push({ id, columnIds: columns.map((column) => column.id) });
            }
            const contentsOf = async ({
              id,
              columnIds: [n = "", word = ""],
            }: (typeof made)[number]) => {
              const mention = (columnId: string) => ({ dataset_id: id, column_id: columnId });
              const { data, explain } = await host.client.get<Answer>("data", {
                dimensions: [mention(word)],
                measures: ["sum", "count", "min", "max"].map((type) => ({
                  ...mention(n),
                  aggregation: { type },
                })),
                order: [{ ...mention(word), order: "asc" }],
                explain: true,
              });
              const plan = JSON.stringify(explain);
              const where = ["strata", "clickhouse"].find((slug) => plan.includes(`"${slug}"`));
              return { where, cells: JSON.stringify(data) };
            };
            const before = await Promise.all(made.map(contentsOf));
            for (const to of ["clickhouse", "strata"]) {
              await host.end("SIGTERM");
              host = await start(to);
              const move = () =>
                runMoveCommand(["--to", to], {
                  environment: { MANIFOLD_DATA_DIR: dataDir },
                  write: () => undefined,
                }).catch(String);
              for (let kill = 0; kill < killCount; kill++) {
                const moving = move();
                await sleep(random.below(600));
                await host.end("SIGKILL");
                await moving;
                host = await start(to);
                const found = await Promise.all(made.map(contentsOf));
                assert.equal(
                  found.map(({ cells }) => cells),
                  before.map(({ cells }) => cells),
                );
              }
              assert.is(await move(), 0);
              const after = await Promise.all(made.map(contentsOf));
              assert.equal(
                after,
                before.map(({ cells }) => ({ where: to, cells })),
              );
            }
          } finally {
            await host.end("SIGTERM");
            await store.close();
            await catalog.close();
            rmSync(dataDir, { recursive: true, force: true });
          }
        });
      },
    );
  },
  needsClickhouse,
);
