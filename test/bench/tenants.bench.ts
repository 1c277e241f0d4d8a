/**
 * How much does one organization slow down while another floods the host? The bench measures a quiet organization's
 * small query over HTTP, without the cache, alternately without a flood and during each flood. The floods are heavy
 * queries, pushes, exports, bodies that are expensive to parse, and all of these together. In a real installation,
 * clients run on other machines. Here, the flood's clients run in a process of the lowest priority on the host's two
 * cores, so the figures still include the effect of their processor time. `--only tenants:pushes` measures one flood.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { createClient } from "../../core/web/client/index.ts";
import { startHostProcess } from "../support/hostProcess.ts";
import type { Probed, ProbeTask } from "./hostile/probe.ts";
import { atMost, reportBars, type Bar } from "./bars.ts";
import type { Flooded, FloodTask } from "./tenants/flood.ts";

const { values } = parseArgs({ options: { only: { type: "string" } }, strict: false });
const wanted = String(values["only"] ?? "").split(":")[1] ?? "";
const turnCount = 3;
const secondsATurn = 4;
const clientCount = 24;
/** Limit on the p99 during a flood, as a multiple of the p99 without a flood. */
const waitBar = 1.5;
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly columns: readonly { id: string }[] }[];
}

const folder = mkdtempSync(join(tmpdir(), "manifold-tenants-"));
const host = await startHostProcess(folder, { MANIFOLD_CACHE_MB: "0", MANIFOLD_SIGN_UP: "open" });

/** Signs up an organization. Resolves to the key pair of an API token. */
async function signUp(organization: string) {
  const answer = await fetch(`${host.url}/0.1.0/user`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      action: "create",
      version: "0.1.0",
      properties: {
        email: `${organization}@example.org`,
        company: organization,
        password: "an apple a day keeps",
      },
    }),
  });
  if (!answer.ok) throw new Error(`the sign-up failed: ${await answer.text()}`);
  const made: Readonly<Record<string, unknown>> = Object(await answer.json());
  const login = createClient({
    url: host.url,
    key: String(made["key"]),
    token: String(made["token"]),
  });
  const pair = await login.create<{ id: string; token: string }>("authorization", { type: "api" });
  return { key: pair.id, token: pair.token };
}

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, row) => [
    `place ${(row * 7919) % 20_000}`,
    `region ${row % 40}`,
    (row * 104_729) % 1000,
  ]);

async function fill(pair: { readonly key: string; readonly token: string }, rowCount: number) {
  const client = createClient({ url: host.url, ...pair });
  const header = ["place", "region", "km"];
  const step = 10_000;
  const { rows } = await client.create<Pushed>("data", {
    type: "create",
    data: rowsOf(Math.min(step, rowCount)),
    options: { header },
  });
  const id = String(rows[0]?.id);
  for (let from = step; from < rowCount; from += step)
    await client.create("data", { securable_id: id, data: rowsOf(step) });
  const { rows: found } = await client.get<{
    rows: { columns: { id: string; source_name: string }[] }[];
  }>("securable", { where: { id }, include: [{ model: "Column" }] });
  const of = (name: string, more: object = {}) => {
    const at = found[0]?.columns.find((column) => column.source_name === name);
    return { dataset_id: id, column_id: at?.id, ...more };
  };
  return { id, of, sum: of("km", { aggregation: "sum" }) };
}

try {
  const [quiet, loud] = [await signUp("quiet"), await signUp("loud")];
  const small = await fill(quiet, 50_000);
  const large = await fill(loud, 200_000);
  const question = { dimensions: [small.of("region")], measures: [small.sum] };
  const probed = JSON.stringify({
    ...quiet,
    action: "get",
    version: "0.1.0",
    find: { queries: [question] },
  });
  const heavy = [
    {
      dimensions: [large.of("region")],
      measures: [large.of("place", { aggregation: "distinctcount" })],
    },
    { dimensions: [large.of("place")], measures: [large.sum] },
    { measures: [large.of("km", { aggregation: "median" })] },
  ];
  const callOf = (find: object) => ({ action: "get", find: { queries: [find] } });
  const pushed = rowsOf(2_000);
  const wide = {
    dimensions: [large.of("place")],
    options: { rollup_data: false },
    limit: { by: 50_000 },
  };
  const list = {
    expression: "? in ?",
    parameters: [large.of("place"), rowsOf(20_000).map(([place]) => place)],
  };
  const push = { action: "create", properties: { securable_id: large.id, data: pushed } };
  const body = callOf({ measures: [large.sum], where: [list] });
  const floods: Readonly<Record<string, readonly object[]>> = {
    queries: heavy.map(callOf),
    pushes: [push],
    exports: [callOf(wide)],
    bodies: [body],
    all: [...heavy.map(callOf), push, callOf(wide), body],
  };

  const measure = async (flood?: readonly object[]): Promise<readonly number[]> => {
    const bodies = flood?.map((each) => JSON.stringify({ ...loud, ...each, version: "0.1.0" }));
    const task: FloodTask = { url: `${host.url}/0.1.0/data`, bodies: bodies ?? [], clientCount };
    const clients = flood && fork(new URL("./tenants/flood.ts", import.meta.url));
    clients?.send(task);
    await sleep(1000);
    const workerData: ProbeTask = {
      url: `${host.url}/0.1.0/data`,
      body: probed,
      pid: host.pid,
    };
    const probe = new Worker(new URL("./hostile/probe.ts", import.meta.url), { workerData });
    await sleep(secondsATurn * 1000);
    probe.postMessage("stop", []);
    const [{ waits }] = (await once(probe, "message")) as [Probed];
    if (clients) {
      clients.send("end");
      const [{ refused, answerCount }] = (await once(clients, "message")) as [Flooded];
      if (refused !== undefined) throw new Error(`a call of the flood failed: ${refused}`);
      if (answerCount === 0) throw new Error("the flood received no response");
    }
    return waits;
  };
  const shareOf = (waits: readonly number[], share: number) =>
    waits.toSorted((one, other) => one - other)[Math.floor(share * waits.length)] ?? NaN;

  const bars: Bar[] = [];
  print("  a small query of a quiet organization, milliseconds        median       p99   answers");
  const show = (name: string, waits: readonly number[]) =>
    print(
      `  ${name.padEnd(55)} ${[0.5, 0.99].map((share) => shareOf(waits, share).toFixed(1).padStart(9)).join(" ")} ${String(waits.length).padStart(9)}`,
    );
  await measure();
  for (const [name, flood] of Object.entries(floods)) {
    if (wanted && name !== wanted) continue;
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < turnCount; turn++) {
      alone.push(...(await measure()));
      beside.push(...(await measure(flood)));
    }
    show("alone", alone);
    show(`with ${clientCount} clients: ${name}`, beside);
    const ratio = shareOf(beside, 0.99) / shareOf(alone, 0.99);
    bars.push(atMost(`p99 of a quiet organization, relative to alone: ${name}`, ratio, waitBar));
  }
  reportBars(bars);
} finally {
  await host.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}
