/**
 * How fast are large pushes to a host whose store is ClickHouse, next to ClickHouse's own HTTP interface? One and four
 * clients send 10,000 rows of ten columns at a time, in turns: to the host, each client to its own dataset and then all
 * to the same dataset, and to tables of the same server, as rows of JSON. All rows are synced to disk before the
 * answer. `--repeats n` is the number of turns (default 5). All processes share the processors of one machine.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runStatement } from "../support/clickhouseDatabase.ts";
import { ownerKey, ownerToken, startHostProcess } from "../support/hostProcess.ts";
import { createRandom } from "../support/random.ts";
import { atLeast, reportBars } from "./bars.ts";
import { processorTime } from "./processorTime.ts";
import { openServers } from "./scale/openServers.ts";
import { quantile } from "./spread.ts";

const { values } = parseArgs({ options: { repeats: { type: "string" } }, strict: false });
const turnCount = Number(values["repeats"] ?? 5);
const pushCount = 6;
const rowCount = 10_000;
const mostClients = 4;
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Pushed {
  readonly rows: readonly { readonly id: string }[];
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
const lines = rows.map((row) => JSON.stringify(row)).join("\n");

/** The types that a specialist would choose. */
const types = [
  ["n", "Int32"],
  ["user", "LowCardinality(String)"],
  ["city", "LowCardinality(String)"],
  ["kind", "LowCardinality(String)"],
  ["at", "DateTime64(3, 'UTC')"],
  ["price", "Float64"],
  ["small", "Int32"],
  ["share", "Nullable(Float64)"],
  ["path", "LowCardinality(String)"],
  ["flag", "Int32"],
]
  .map(([name, type]) => `${name} ${type}`)
  .join(", ");

const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const opened = await openServers(false);
const [server] = opened.servers;
if (!server) throw new Error("no ClickHouse server has started");
const host = await startHostProcess(dataDir, { MANIFOLD_CACHE_MB: "0", ...opened.environment });
try {
  const datasetIds: string[] = [];
  for (let index = 0; index < mostClients; index++) {
    const data = rows.slice(0, 10);
    const made = await host.client.create<Pushed>("data", { type: "create", data });
    datasetIds.push(String(made.rows[0]?.id));
    await runStatement(
      server,
      `create table own_${index} (${types}) engine = MergeTree order by tuple()
       settings fsync_after_insert = 1, fsync_part_directory = 1`,
      opened.database,
    );
  }

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
  const insert = (index: number) =>
    runStatement(
      server,
      `insert into own_${index} settings date_time_input_format = 'best_effort', async_insert = 0 format JSONCompactEachRow\n${lines}`,
      opened.database,
    );
  const each = (clientCount: number, send: (client: number) => Promise<unknown>) =>
    Promise.all(
      Array.from({ length: clientCount }, async (_, client) => {
        for (let sent = 0; sent < pushCount; sent++) await send(client);
      }),
    );

  const ways = [
    { name: "1 client", clientCount: 1, send: (client: number) => push(datasetIds[client]) },
    { name: "1 client, ClickHouse", clientCount: 1, send: insert },
    { name: "4 clients", clientCount: 4, send: (client: number) => push(datasetIds[client]) },
    { name: "4 clients, one dataset", clientCount: 4, send: () => push(datasetIds[0]) },
    { name: "4 clients, ClickHouse", clientCount: 4, send: insert },
    { name: "4 clients, ClickHouse, one table", clientCount: 4, send: () => insert(0) },
  ].map((way) => ({
    ...way,
    rates: [] as number[],
    hostMs: [] as number[],
    serverMs: [] as number[],
  }));
  for (const { clientCount, send } of ways) await each(clientCount, send);
  for (let turn = 0; turn < turnCount; turn++)
    for (const { clientCount, send, rates, hostMs, serverMs } of ways) {
      const before = [processorTime(host.pid), processorTime(server.pid)] as const;
      const startedAt = performance.now();
      await each(clientCount, send);
      const count = clientCount * pushCount;
      rates.push((count * rowCount * 1000) / (performance.now() - startedAt));
      hostMs.push((processorTime(host.pid) - before[0]) / count);
      serverMs.push((processorTime(server.pid) - before[1]) / count);
    }
  print(`  ${"".padEnd(34)}rows/s: best  median   processor ms/push: host, server`);
  for (const { name, rates, hostMs, serverMs } of ways) {
    const shown = [Math.max(...rates), quantile(rates, 0.5)].map((rate) =>
      rate.toFixed(0).padStart(8),
    );
    const costs = [hostMs, serverMs].map((ms) =>
      Math.min(...ms)
        .toFixed(1)
        .padStart(12),
    );
    print(`  ${name.padEnd(34)}    ${shown.join("")}${costs.join("")}`);
  }
  const best = (name: string) => Math.max(...(ways.find((way) => way.name === name)?.rates ?? []));
  reportBars(
    [
      ["1 client", "1 client, ClickHouse"],
      ["4 clients", "4 clients, ClickHouse"],
      ["4 clients, one dataset", "4 clients, ClickHouse, one table"],
    ].map(([own = "", peer = ""]) =>
      atLeast(`${own}, relative to ClickHouse`, best(own) / best(peer), 0.8),
    ),
  );
} finally {
  await host.end("SIGTERM");
  await opened.close();
  rmSync(dataDir, { recursive: true, force: true });
}
