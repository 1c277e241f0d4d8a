/**
 * How fast are large pushes over HTTP, and how long do readers wait next to them? One and four clients push 10,000 rows
 * of ten columns at a time, each to its own dataset and with a `request_id`, as the client of this package does. Then
 * eight readers send a small query alone and next to four pushers, in turns. `--repeats n` is the number of turns
 * (default 5). Pushers and readers share one client process, which uses part of the processors.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ownerKey, ownerToken, startHostProcess } from "../support/hostProcess.ts";
import { createRandom } from "../support/random.ts";
import { processorTime } from "./processorTime.ts";
import { quantile } from "./spread.ts";

const { values } = parseArgs({ options: { repeats: { type: "string" } }, strict: false });
const turnCount = Number(values["repeats"] ?? 5);
const pushCount = 6;
const rowCount = 10_000;
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly columns: readonly { id: string }[] }[];
}

const random = createRandom(20_261_129);
const rows = Array.from({ length: rowCount }, (_, row) => [
  random.below(2 ** 30),
  `user-${random.below(50_000)}`,
  `city ${random.below(1000)}`,
  random.pick(["web", "app", "api"]),
  new Date(1.7e12 + random.below(2 ** 31) * 10).toISOString(),
  random.below(100_000) / 100,
  random.below(100),
  random.chance(0.1) ? null : random.below(2 ** 30) / 2 ** 30,
  `/path/${random.below(5000)}/page`,
  row % 2,
]);
const json = JSON.stringify(rows);

const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const host = await startHostProcess(dataDir, { MANIFOLD_CACHE_MB: "0" });
try {
  const { client } = host;
  const make = async () => {
    const [made] = (
      await client.create<Pushed>("data", { type: "create", data: rows.slice(0, 10) })
    ).rows;
    if (!made) throw new Error("the push returned no dataset");
    return made;
  };
  const read = await make();
  const written = await Promise.all(Array.from({ length: 4 }, make));
  const [key, measure] = [read.columns[3], read.columns[5]].map((column) => ({
    dataset_id: read.id,
    column_id: column?.id,
  }));
  const query = { dimensions: [key], measures: [{ ...measure, aggregation: { type: "sum" } }] };

  /** Pushes prepared JSON, because writing it would take longer than the push. */
  const push = async (id: string | undefined) => {
    const call = {
      action: "create",
      version: "0.1.0",
      key: ownerKey,
      token: ownerToken,
      request_id: randomUUID(),
    };
    const properties = `{"type":"append","securable_id":"${id}","data":${json}}`;
    const response = await fetch(`${host.url}/0.1.0/data`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: `${JSON.stringify(call).slice(0, -1)},"properties":${properties}}`,
    });
    const answer = await response.text();
    if (response.status !== 200) throw new Error(answer.slice(0, 500));
  };
  const pushing = (clientCount: number) =>
    Promise.all(
      written.slice(0, clientCount).map(async ({ id }) => {
        for (let sent = 0; sent < pushCount; sent++) await push(id);
      }),
    );

  print(`  ${"".padEnd(24)}rows/s: best  median   processor ms/push: best`);
  await pushing(4);
  for (const clientCount of [1, 4]) {
    const rates: number[] = [];
    const costs: number[] = [];
    for (let turn = 0; turn < turnCount; turn++) {
      const before = processorTime(host.pid);
      const startedAt = performance.now();
      await pushing(clientCount);
      const count = clientCount * pushCount;
      rates.push((count * rowCount * 1000) / (performance.now() - startedAt));
      costs.push((processorTime(host.pid) - before) / count);
    }
    const shown = [Math.max(...rates), quantile(rates, 0.5)].map((rate) =>
      rate.toFixed(0).padStart(8),
    );
    const name = `${clientCount} ${clientCount === 1 ? "client" : "clients"}`;
    print(
      `  ${name.padEnd(24)}    ${shown.join("")}${Math.min(...costs)
        .toFixed(1)
        .padStart(26)}`,
    );
  }

  const reading = async (until: () => boolean) => {
    const durations: number[] = [];
    while (!until()) {
      const startedAt = performance.now();
      await client.get<unknown>("data", query);
      durations.push(performance.now() - startedAt);
    }
    return durations;
  };
  const readers = async (until: () => boolean) =>
    (await Promise.all(Array.from({ length: 8 }, () => reading(until)))).flat();
  const alone: number[] = [];
  const beside: number[] = [];
  for (let turn = 0; turn < turnCount; turn++) {
    let isDone = false;
    const pushed = pushing(4).then(() => (isDone = true));
    beside.push(...(await readers(() => isDone)));
    await pushed;
    const endsAt = performance.now() + 1000;
    alone.push(...(await readers(() => performance.now() > endsAt)));
  }
  for (const [name, durations] of [
    ["8 readers alone", alone],
    ["8 readers, 4 pushers", beside],
  ] as const) {
    const [p50, p99] = [0.5, 0.99].map((part) => quantile(durations, part).toFixed(1));
    print(`  ${name.padEnd(24)}p50 ${p50} ms, p99 ${p99} ms`);
  }
  print(
    `  readers next to pushers, relative to alone: ${(quantile(beside, 0.5) / quantile(alone, 0.5)).toFixed(1)}`,
  );
} finally {
  await host.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}
