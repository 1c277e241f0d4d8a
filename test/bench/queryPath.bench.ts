/**
 * What does the query path cost outside the engine, and how many answers per second does a host return? First, the
 * bench measures a call in this process from the text of the call to the text of the answer, minus the time in the
 * engine. Then 32 clients in a separate process send queries over HTTP, with and without cached answers. The data are
 * the flights of 2001 (`--rows`, default 3m). The baseline is a server of a few lines that sends the same answers from
 * a Map and does not check callers. The figures are wrong when another process runs, except for the processor time per
 * answer, which is also printed.
 */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { flightCount } from "../../examples/support/flights.ts";
import { columnsOf } from "../../examples/support/columnsOf.ts";
import { ownerKey, ownerToken, startHostProcess } from "../support/hostProcess.ts";
import { fillFlights } from "./fillFlights.ts";
import { runClients, type Counted } from "./queryPath/runClients.ts";
import { dashboardQueries, pageOfFlights } from "./queryPath/dashboard.ts";
import { measureOverhead } from "./queryPath/overhead.ts";
import { shownSpread } from "./spread.ts";

const { values } = parseArgs({
  options: { rows: { type: "string" }, seed: { type: "string" } },
  strict: false,
});
const wanted = String(values.rows ?? "3m");
const rowCount = Math.min(
  flightCount,
  Number.parseFloat(wanted) * (wanted.endsWith("m") ? 1e6 : 1),
);
const seed = Number(values.seed ?? 1);
const seconds = 4;
const clientCount = 32;

const print = (line: string) => process.stdout.write(`${line}\n`);
const row = (name: string, figures: string) => print(`  ${name.padEnd(52)} ${figures}`);

/** Returns the processor time of all threads of a process since its start, in milliseconds. */
function processorMs(pid: number): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

function show(name: string, counted: Counted, processor: number, bar?: number): void {
  const { perSecond, count, medianMs, slowMs } = counted;
  row(
    name,
    `${perSecond.toFixed(0).padStart(9)} ${medianMs.toFixed(1).padStart(9)} ${slowMs.toFixed(1).padStart(9)} ${(processor / count).toFixed(2).padStart(9)}`,
  );
  if (bar) print(`    ${perSecond >= bar ? "holds" : "does not hold"}: at least ${bar}`);
}

const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
try {
  const filling = await startHostProcess(dataDir);
  const { datasetId, filledCount } = await fillFlights(filling.client, rowCount);
  const columns = await columnsOf(filling.client, datasetId);
  await filling.end("SIGTERM");
  print(`  ${filledCount} rows`);

  print("  milliseconds                                            median       min       max");
  const page = pageOfFlights(datasetId, columns, 200);
  const {
    overhead,
    engine,
    rowCount: pageRows,
    pluginRowCount,
  } = await measureOverhead(dataDir, datasetId, page, 500);
  if (pageRows !== 200) throw new Error(`expected 200 rows but received ${pageRows}`);
  row("a chart of 200 rows, in the engine", shownSpread(engine));
  row("outside the engine", shownSpread(overhead));
  print(`    ${overhead.median <= 1 ? "holds" : "does not hold"}: at most 1 ms`);

  const checked = await measureOverhead(dataDir, datasetId, page, 500, false);
  row("the same from an unverified plugin, in the engine", shownSpread(checked.engine));
  row("outside the engine", shownSpread(checked.overhead));
  print(
    `    ${checked.pluginRowCount} groups are checked; a verified plugin returns ${pluginRowCount}`,
  );

  const calls = dashboardQueries(datasetId, columns, 50, seed).map((find) =>
    JSON.stringify({ action: "get", version: "0.1.0", key: ownerKey, token: ownerToken, find }),
  );
  const order = (url: string) => ({
    url: `${url}/0.1.0/data`,
    clientCount,
    seconds,
    bodies: calls,
  });
  print("");
  print(
    `  ${clientCount} clients                                             answers/s    median       p99  cpu ms/answer`,
  );
  for (const [name, cacheMb, bar] of [
    ["cached answers", "128", 1500],
    ["every answer from the engine", "0", 300],
  ] as const) {
    const host = await startHostProcess(dataDir, { MANIFOLD_CACHE_MB: cacheMb });
    await runClients(order(host.url));
    const before = processorMs(host.pid);
    const counted = await runClients(order(host.url));
    const expected = cacheMb === "0" ? 0 : counted.count;
    if (counted.cachedCount !== expected)
      throw new Error(`${counted.cachedCount} of ${counted.count} answers came from the cache`);
    show(name, counted, processorMs(host.pid) - before, bar);
    if (cacheMb !== "0") await showNaive(host.url);
    await host.end("SIGTERM");
  }

  /** Measures a server that sends the same answers from a Map. */
  async function showNaive(url: string): Promise<void> {
    const answers = new Map<string, string>();
    for (const call of calls) {
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(`${url}/0.1.0/data`, { method: "POST", headers, body: call });
      answers.set(call, await answer.text());
    }
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        response.setHeader("Content-Type", "application/json");
        response.end(answers.get(body));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const before = process.cpuUsage();
    const counted = await runClients(order(`http://127.0.0.1:${port}`));
    const { user, system } = process.cpuUsage(before);
    show("  the same answers from a Map, without checks", counted, (user + system) / 1000);
    server.close();
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
