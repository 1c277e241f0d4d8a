import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../core/web/client/index.ts";
import type { Host } from "../../../core/host.ts";
import { openTestHost } from "../../support/openTestHost.ts";
import { createRandom } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import type { Cell } from "../strata/benchQuery.ts";
import { apiQueryOf } from "./apiQueryOf.ts";
import { compareRanked } from "./compareRanked.ts";
import { fillHost } from "./fillHost.ts";
import { openPublicSystem } from "./publicJobs.ts";
import { publicParts } from "./publicParts.ts";
import { spell } from "./spell.ts";
import { toPublicCells } from "./toPublicCells.ts";
import { typesOf } from "./typeOf.ts";
import { writeTables } from "./writeTables.ts";

const rowCount = 2000;

suite("bench/public", (test) => {
  const { seed } = createRandom();
  let dir = "";
  let host: Host;
  let client: Client;

  test.before(async () => {
    dir = await mkdtemp(join(tmpdir(), "manifold-public-"));
    host = await openTestHost();
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    client = createClient({ url: host.url, key, token });
  });
  test.after(async () => {
    await host.close();
    await rm(dir, { recursive: true, force: true });
  });

  for (const [name, make] of Object.entries(publicParts))
    test.deep(`a host and the engine answer the questions of ${name} as DuckDB does`, async () => {
      const part = make(rowCount, seed % 1000);
      const own = join(dir, name);
      const tables = await writeTables(part, own);
      for (const system of ["engine", "duckdb"] as const) await mkdir(join(own, system));
      const duckdb = await openPublicSystem({ name: "duckdb", tables, dir: join(own, "duckdb") });
      const engine = await openPublicSystem({ name: "engine", tables, dir: join(own, "engine") });
      const push = (properties: Readonly<Record<string, unknown>>, data: string) =>
        client.create<unknown>("data", { ...properties, data: JSON.parse(data) });
      const differences: string[] = [];
      try {
        const datasets = await fillHost({ client, push, part, tables });
        for (const question of part.questions) {
          const types = typesOf(question, part);
          const spelled = spell(question, part);
          const expected = toPublicCells(await duckdb.ask(spelled), types);
          const compare = (side: string, cells: readonly (readonly Cell[])[]) => {
            const difference = compareRanked(expected, cells, question);
            if (difference !== undefined)
              differences.push(`${side}, ${question.name}: ${difference}; ${spelled.duckdb}`);
          };
          const query = apiQueryOf(question, part, datasets);
          const find = { queries: [query] };
          const { data } = await client.get<{ data: unknown[][] }>("data", find);
          compare("host", toPublicCells(data, types));
          if (spelled.plan) compare("engine", toPublicCells(await engine.ask(spelled), types));
        }
      } finally {
        await engine.close();
        await duckdb.close();
      }
      assert.is(differences.join("\n"), "", `SEED=${seed}`);
    });
});
