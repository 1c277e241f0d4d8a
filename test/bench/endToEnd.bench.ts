/**
 * How fast is a dashboard query from socket to socket, compared with servers that a team would build with Koa and
 * DuckDB? Twelve queries over real flights (`--rows`, default 3m; `--repeats`, default 15) run against the host without
 * its cache, a plain server and a tuned server. Each server is a process with two threads. One client sends each query
 * to the servers in turn, after a pause. Then 32 clients in a separate process query one server after another, each for
 * a few seconds. The bench compares the answers before it counts any time. The host checks credentials, rights and row
 * filters and stores rows durably, and the other servers do not. The figures are wrong when another process runs.
 */
import { once } from "node:events";
import { type ChildProcess, fork } from "node:child_process";
import { Agent, request } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { flightCount } from "../../examples/support/flights.ts";
import { columnsOf } from "../../examples/support/columnsOf.ts";
import { ownerKey, ownerToken, startHostProcess } from "../support/hostProcess.ts";
import { compareCells } from "./endToEnd/compareCells.ts";
import { endToEndQueries, tenantOrigin, type DashboardQuery } from "./endToEnd/endToEndQueries.ts";
import { fillFlights } from "./fillFlights.ts";
import { pageOfFlights } from "./queryPath/dashboard.ts";
import { runClients, type Counted } from "./queryPath/runClients.ts";
import { shownSpread, spreadOf } from "./spread.ts";
import { atLeast, atMost, reportBars, type Bar } from "./bars.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string" },
    repeats: { type: "string" },
    only: { type: "string" },
  },
  strict: false,
});
const wanted = String(values.rows ?? "3m");
const rowCount = Math.min(
  flightCount,
  Number.parseFloat(wanted) * (wanted.endsWith("m") ? 1e6 : 1),
);
const repeats = Number(values.repeats ?? 15);
const part = String(values.only ?? "").split(":")[1];
/**
 * Milliseconds to wait before a query, so that a server that is still working after its response does not slow down the
 * next server.
 */
const pauseMs = 15;
const clientCount = 32;
const turnSeconds = 2;
const turnCount = 5;

const print = (line: string) => process.stdout.write(`${line}\n`);
const row = (name: string, figures: string) => print(`  ${name.padEnd(40)} ${figures}`);

/** A server that accepts the same queries. */
interface Server {
  readonly name: "host" | "plain" | "tuned";
  readonly url: string;
  readonly bodies: readonly string[];
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends a body. Resolves when the last byte of the response has arrived. */
function send(url: string, body: string): Promise<{ text: string; tookMs: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ text: string; tookMs: number }>();
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  };
  const sentAt = performance.now();
  const call = request(url, { agent, method: "POST", headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("error", reject);
    answer.on("end", () => {
      const tookMs = performance.now() - sentAt;
      const text = Buffer.concat(chunks).toString();
      if (answer.statusCode === 200) resolve({ text, tookMs });
      else reject(new Error(`status ${answer.statusCode}: ${text.slice(0, 300)}`));
    });
  });
  call.on("error", reject);
  call.end(body);
  return promise;
}

function startDuck(
  form: "plain" | "tuned",
  queries: readonly DashboardQuery[],
): { child: ChildProcess; url: Promise<string> } {
  const statements = queries.map(({ sql, tunedSql }) => (form === "tuned" && tunedSql) || sql);
  const child = fork(
    new URL("./endToEnd/duckServer.ts", import.meta.url),
    [JSON.stringify({ form, rowCount, statements })],
    { stdio: ["ignore", "pipe", "inherit", "ipc"], env: { ...process.env, TZ: "UTC" } },
  );
  const url = new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const found = /listens on (\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", (status) => reject(new Error(`the server exited with status ${status}`)));
  });
  return { child, url };
}

const hostCall = (query: object, key: string, token: string) =>
  JSON.stringify({ action: "get", version: "0.1.0", key, token, find: { queries: [query] } });

const geometricMean = (figures: readonly number[]) =>
  Math.exp(figures.reduce((sum, figure) => sum + Math.log(figure), 0) / figures.length);

const bars: Bar[] = [];
const ducks: ChildProcess[] = [];
const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const host = await startHostProcess(dataDir, { MANIFOLD_CACHE_MB: "0" });
try {
  const { client } = host;
  const { datasetId, filledCount } = await fillFlights(client, rowCount);
  const columns = await columnsOf(client, datasetId);
  const tenant = await client.create<{ id: string; token: string }>("authorization", {
    type: "embed",
    username: "tenant",
    access: { datasets: [{ id: datasetId, rights: "use" }] },
    filters: [
      {
        clause: "where",
        origin: "global",
        securable_id: datasetId,
        column_id: columns["origin"],
        expression: "? = ?",
        value: tenantOrigin,
      },
    ],
  });
  const queries = endToEndQueries(datasetId, columns);
  const started = (["plain", "tuned"] as const).map((form) => ({
    form,
    ...startDuck(form, queries),
  }));
  ducks.push(...started.map(({ child }) => child));
  const bodies = queries.map(({ query, isTenant }) =>
    isTenant ? hostCall(query, tenant.id, tenant.token) : hostCall(query, ownerKey, ownerToken),
  );
  const servers: Server[] = [{ name: "host", url: `${host.url}/0.1.0/data`, bodies }];
  for (const { form, url } of started)
    servers.push({
      name: form,
      url: await url,
      bodies: queries.map(({ values: given }, queryIndex) =>
        JSON.stringify({ queryIndex, values: given }),
      ),
    });
  print(`  ${filledCount} flights, ${repeats} rounds`);

  for (const [index, { title, isUnordered }] of queries.entries()) {
    const answers: unknown[][][] = [];
    for (const { url, bodies: each } of servers) {
      const { data } = JSON.parse((await send(url, each[index] ?? "")).text) as { data: object[] };
      answers.push(data.map((cells) => Object.values(cells)));
    }
    for (const theirs of answers.slice(1))
      compareCells(title, answers[0] ?? [], theirs, isUnordered === true);
  }

  if (!part || part === "queries") await oneClient(servers, queries);
  if (!part || part === "page") await overEngine(pageOfFlights(datasetId, columns, 200));
  if (!part || part === "clients") await manyClients(servers);
  reportBars(bars);
} finally {
  for (const child of ducks) {
    child.kill();
    await once(child, "exit");
  }
  agent.destroy();
  await host.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}

async function oneClient(
  servers: readonly Server[],
  queries: readonly DashboardQuery[],
): Promise<void> {
  const measured = servers.map(() => queries.map((): number[] => []));
  for (let round = -3; round < repeats; round++)
    for (const index of queries.keys())
      for (const turn of servers.keys()) {
        const at = (turn + Math.max(round, 0)) % servers.length;
        const server = servers[at];
        if (!server) continue;
        await pause(pauseMs);
        const { tookMs } = await send(server.url, server.bodies[index] ?? "");
        if (round >= 0) measured[at]?.[index]?.push(tookMs);
      }
  print("");
  print(
    "  one client, milliseconds                     host     plain     tuned   × plain   × tuned",
  );
  const ratios: number[][] = [[], []];
  for (const [index, { title }] of queries.entries()) {
    const [ours = 0, ...theirs] = measured.map((each) => spreadOf(each[index] ?? []).median);
    const times = theirs.map((each) => each / ours);
    for (const [at, time] of times.entries()) ratios[at]?.push(time);
    row(
      title,
      [...[ours, ...theirs].map((each) => each.toFixed(1)), ...times.map((each) => each.toFixed(2))]
        .map((text) => text.padStart(9))
        .join(" "),
    );
  }
  const [plain = [], tuned = []] = ratios;
  row(
    "geometric mean",
    `${" ".repeat(30)}${[plain, tuned].map((each) => geometricMean(each).toFixed(2).padStart(9)).join(" ")}`,
  );
  const scatter = queries.findIndex(({ isUnordered }) => isUnordered);
  bars.push(
    atLeast(
      "one client: geometric mean of the speedup over the tuned server",
      geometricMean(tuned),
      4,
    ),
    atLeast(
      "one client: speedup of the slowest query over the tuned server",
      Math.min(...tuned),
      1,
    ),
    atLeast("one client: speedup for 5,000 raw rows over the tuned server", tuned[scatter], 1),
  );
}

/** Measures the time of a chart with 200 rows from socket to socket, minus the time in the store. */
async function overEngine(query: object): Promise<void> {
  const body = hostCall(query, ownerKey, ownerToken);
  const wholes: number[] = [];
  const overs: number[] = [];
  for (let run = -50; run < 300; run++) {
    if (run % 10 === 0) await pause(pauseMs);
    const { text, tookMs } = await send(`${host.url}/0.1.0/data`, body);
    const { data, performance: taken } = JSON.parse(text) as {
      data: unknown[];
      performance: { querying: number };
    };
    if (data.length !== 200) throw new Error(`expected 200 rows but received ${data.length}`);
    if (run < 0) continue;
    wholes.push(tookMs);
    overs.push(tookMs - taken.querying);
  }
  print("\n  a chart of 200 rows, milliseconds          median       min       max");
  row("from socket to socket", shownSpread(spreadOf(wholes)));
  row("outside the engine", shownSpread(spreadOf(overs)));
  bars.push(
    atMost("a chart of 200 rows: time outside the engine", spreadOf(overs).median, 1, "ms"),
  );
}

async function manyClients(servers: readonly Server[]): Promise<void> {
  const counted = servers.map((): Counted[] => []);
  for (let turn = -1; turn < turnCount; turn++)
    for (const [index, { url, bodies }] of servers.entries()) {
      const order = { url, clientCount, seconds: turnSeconds, bodies };
      const each = await runClients(order);
      if (turn >= 0) counted[index]?.push(each);
    }
  print(`\n  ${clientCount} clients                             answers/s    median       p99`);
  const medians = counted.map((each) => ({
    perSecond: spreadOf(each.map(({ perSecond }) => perSecond)).median,
    medianMs: spreadOf(each.map(({ medianMs }) => medianMs)).median,
    slowMs: spreadOf(each.map(({ slowMs }) => slowMs)).median,
  }));
  for (const [index, { perSecond, medianMs, slowMs }] of medians.entries())
    row(
      servers[index]?.name ?? "",
      [perSecond.toFixed(0), medianMs.toFixed(1), slowMs.toFixed(1)]
        .map((text) => text.padStart(9))
        .join(" "),
    );
  const [ours, , tuned] = medians;
  if (!ours || !tuned) throw new Error("a server was not measured");
  bars.push(
    atLeast(
      "32 clients: answers per second relative to the tuned server",
      ours.perSecond / tuned.perSecond,
      8,
    ),
    atMost("32 clients: p99 relative to the tuned server", ours.slowMs / tuned.slowMs, 0.2),
  );
}
