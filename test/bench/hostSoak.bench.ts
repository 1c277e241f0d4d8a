/**
 * Does a whole host end with the memory that it started with? Eight clients push, append, replace, query, search and
 * delete over HTTP in rounds, and every round ends without datasets. Memory is compared after three tenths of the time
 * and at the end. Before each reading, the host rests until its arenas are swept, and garbage is collected, so that
 * late collections do not matter. The bench runs once without the answer cache and once with it, to show the growth of
 * the cache separately. `--minutes n` is the duration of each run (1 by default, hours for the deep layer), and `--seed
 * n` sets the seed. The bench fails if memory grows by more than a tenth, or resident memory by more than a quarter,
 * plus the size of the cache.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Client, createClient } from "../../core/web/client/index.ts";
import { createRandom } from "../support/random.ts";
import type { HeldMemory } from "./soak/heldMemory.ts";

const { values } = parseArgs({
  strict: false,
  options: { minutes: { type: "string" }, seed: { type: "string" } },
});
const soakMs = Number(values.minutes ?? 1) * 60_000;
const warmShare = 0.3;
/** Milliseconds of rest, enough for three sweeps of the arenas. */
const restMs = 50_000;
/** Maximum memory at the end, as a multiple of the memory at the first reading. */
const bars: HeldMemory = { heapMib: 1.1, externalMib: 1.1, residentMib: 1.25 };
const { below: pick } = createRandom(Number(values.seed ?? 1));
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly columns: readonly { id: string }[] }[];
}

/** Runs one client's part of a round: creates, changes, queries and deletes a dataset. */
async function useDataset(client: Client): Promise<number> {
  const rows = (count: number) =>
    Array.from({ length: count }, () => [`city ${pick(5_000)}`, pick(1_000_000), "2024-01-05"]);
  const options = { header: ["city", "km", "day"] };
  const data = rows(1 + pick(5_000));
  const [made] = (await client.create<Pushed>("data", { type: "create", data, options })).rows;
  if (!made) throw new Error("the push returned no dataset");
  const [city, km] = made.columns.map(({ id }) => ({ dataset_id: made.id, column_id: id }));
  const calls = 10 + pick(20);
  for (let call = 0; call < calls; call++)
    switch (pick(6)) {
      case 0:
        await client.create("data", { securable_id: made.id, data: rows(1 + pick(2_000)) });
        break;
      case 1:
        await client.create("data", { type: "replace", securable_id: made.id, data: rows(500) });
        break;
      case 2:
        await client.get("securable", { include: [{ model: "Column" }], limit: 20 });
        break;
      default:
        await client.get<unknown>("data", {
          dimensions: [city],
          measures: [{ ...km, aggregation: { type: "sum" } }],
          limit: { by: 1 + pick(5_000) },
        });
    }
  await client.delete("securable", made.id);
  return calls + 2;
}

async function soak(cacheMb: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-soak-"));
  const script = fileURLToPath(new URL("soak/soakedHost.ts", import.meta.url));
  const host = fork(script, [folder, String(cacheMb)], {
    execArgv: [...process.execArgv, "--expose-gc"],
  });
  try {
    const [{ url, key, token }] = (await once(host, "message")) as [
      { url: string; key: string; token: string },
    ];
    const client = createClient({ url, key, token });
    const held = async (): Promise<HeldMemory> => {
      await pause(restMs);
      host.send("held");
      return ((await once(host, "message")) as [HeldMemory])[0];
    };
    let callCount = 0;
    const work = async (workMs: number) => {
      for (const endsAt = performance.now() + workMs; performance.now() < endsAt;) {
        const parts = await Promise.all(Array.from({ length: 8 }, () => useDataset(client)));
        callCount += parts.reduce((sum, count) => sum + count, 0);
      }
    };
    await work(soakMs * warmShare);
    const warm = await held();
    await work(soakMs * (1 - warmShare));
    const end = await held();
    print(`  cache of ${cacheMb} MB, ${callCount} calls      warm       end   at most`);
    for (const [name, bar] of Object.entries(bars) as [keyof HeldMemory, number][]) {
      const mostMib = warm[name] * bar + cacheMb;
      const cells = [warm[name], end[name], mostMib].map((mib) => mib.toFixed(1).padStart(10));
      print(`  ${name.padEnd(28)}${cells.join("")}`);
      if (end[name] > mostMib) process.exitCode = 1;
    }
  } finally {
    const ended = once(host, "exit");
    host.send("close");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

await soak(0);
await soak(16);
