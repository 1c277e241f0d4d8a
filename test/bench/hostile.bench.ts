/**
 * How much do other callers slow down in three cases: while somebody sends expensive bodies, with or without a right;
 * while a plugin returns a large answer; and while clients request long answers without reading them? A separate thread
 * requests `/healthz` every 5 ms over a kept connection. Rate limits are off, so that the host does all of the work.
 * The figures are wrong when other processes use the processors, because the time of waiting for a processor is
 * included. `--only hostile:<name>` measures one part.
 */
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import {
  ownerKey,
  ownerToken,
  startHostProcess,
  type HostProcess,
} from "../support/hostProcess.ts";
import type { LargePluginTask } from "./hostile/largePlugin.ts";
import type { Probed, ProbeTask } from "./hostile/probe.ts";
import { hostileShapes, type Shape, type ShapeColumns } from "./hostile/shapes.ts";
import { createClient } from "../../core/web/client/index.ts";
import { atMost, reportBars, type Bar } from "./bars.ts";
import { shownSpread, spreadOf } from "./spread.ts";

const { values } = parseArgs({
  options: { only: { type: "string" }, shape: { type: "string" } },
  strict: false,
});
const wantedShape = String(values["shape"] ?? "");
const wanted = String(values["only"] ?? "").split(":")[1] ?? "";
const mebibyte = 2 ** 20;
const print = (line: string) => process.stdout.write(`${line}\n`);
/**
 * Limit on the p99 of another organization's small query during the calls of an embed token, in milliseconds above the
 * p99 without these calls.
 */
const tokenBarMs = 50;
/** Minimum and maximum seconds for which calls of one kind are repeated. */
const shapeSeconds = { least: 1.5, most: 8 };
/** Limit on the longest response time of `/healthz` during an attack, in milliseconds. */
const healthBarMs = 50;
/** Limit on the p99 of a small query during other work, as a multiple of its p99 without other work. */
const waitBar = 3;
/** Limit on memory during a long answer, as a multiple of the size of the answer's columns. */
const memoryBar = 2;
/**
 * Limit in MiB on the memory that bodies add to a quiet host: the shared budget of all bodies, plus the same amount for
 * their parsed parts.
 */
const bodiesBarMib = 512;
/** Bytes per row of two columns: one contains codes of strings, and the other contains numbers. */
const cellBytes = 12;
const bars: Bar[] = [];

/** Returns the processor time of all threads of a process in milliseconds. Linux reports it in steps of 10 ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

interface Sent {
  readonly status: number;
  readonly ms: number;
}

function send(
  url: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const ended = (status: number) => resolve({ status, ms: performance.now() - startedAt });
    const outgoing = httpRequest(
      url,
      {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(body),
          ...headers,
        },
      },
      (incoming) => {
        incoming.resume();
        incoming.on("end", () => ended(incoming.statusCode ?? 0));
        incoming.on("error", () => ended(0));
      },
    );
    outgoing.on("error", () => ended(0));
    outgoing.end(body);
  });
}

interface Measured {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly startMib: number;
  readonly peakMib: number;
}

/** Prints the response times of `/healthz` or of a query during the work, and the peak memory. */
async function measured(
  host: HostProcess,
  name: string,
  work: () => Promise<string>,
  query?: string,
): Promise<Measured> {
  const workerData: ProbeTask = query
    ? { url: `${host.url}/0.1.0/data`, body: query, pid: host.pid }
    : { url: `${host.url}/healthz`, pid: host.pid };
  const probe = new Worker(new URL("./hostile/probe.ts", import.meta.url), { workerData });
  await sleep(300);
  const startedAt = performance.now();
  const outcome = await work();
  const workMs = performance.now() - startedAt;
  await sleep(300);
  probe.postMessage("stop", []);
  const [{ waits, startMib, peakMib }] = (await once(probe, "message")) as [Probed];
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  const figure = (ms: number) => ms.toFixed(1).padStart(9);
  print(
    `  ${name.padEnd(46)}${figure(at(0.5))}${figure(at(0.99))}${figure(at(1))}${peakMib.toFixed(0).padStart(9)}  ${workMs.toFixed(0)} ms: ${outcome}`,
  );
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), startMib, peakMib };
}

/** Measures expensive bodies, with limits on the response time of `/healthz` and on the memory of bodies. */
async function attacked(name: string, work: () => Promise<string>): Promise<void> {
  const { maxMs, startMib, peakMib } = await measured(host, name, work);
  bars.push(
    atMost(`/healthz, longest wait: ${name}`, maxMs, healthBarMs, "ms"),
    atMost(`memory: ${name}`, peakMib - startMib, bodiesBarMib, "MiB"),
  );
}

const statuses = (answers: readonly Sent[]) => answers.map(({ status }) => status).join(" ");
const together = (count: number, run: () => Promise<Sent>) =>
  Promise.all(Array.from({ length: count }, run)).then(statuses);

const dataDir = mkdtempSync(join(tmpdir(), "manifold-hostile-"));
const stretchFile = join(dataDir, "stretches");
const stretchModule = new URL("./hostile/longestStretch.ts", import.meta.url).href;
const host = await startHostProcess(dataDir, {
  MANIFOLD_FAILURES_PER_MINUTE: "0",
  MANIFOLD_CACHE_MB: "0",
  MANIFOLD_EGRESS_ALLOW: "127.0.0.1",
  MANIFOLD_SIGN_UP: "open",
  STRETCH_FILE: stretchFile,
  NODE_OPTIONS: `--import ${stretchModule}`,
});
try {
  const data = `${host.url}/0.1.0/data`;
  const pair = `"key":"${ownerKey}","token":"${ownerToken}"`;
  const wrong = `"key":"${ownerKey}","token":"wrong"`;
  const objects = (bytes: number) => `{"x":[${"{},".repeat(bytes / 3)}{}],`;
  const { client } = host;
  const made = async (data: readonly unknown[][], header: readonly string[]) => {
    const created = await client.create<{ rows: { id: string; columns: { id: string }[] }[] }>(
      "data",
      {
        type: "create",
        data,
        options: { header, name: { en: "Trips" } },
      },
    );
    return created.rows[0]!;
  };
  /** Returns the body of a call in which another user queries a small dataset. */
  const smallQuery = async () => {
    const rows = Array.from({ length: 1000 }, (_, row) => [`city ${row % 20}`, row]);
    const { id, columns } = await made(rows, ["city", "km"]);
    const { id: key, token } = await client.create<{ id: string; token: string }>("authorization", {
      type: "embed",
      username: "other",
      access: { datasets: [{ id, rights: "use" }] },
    });
    const [city, km] = columns.map((column) => ({ dataset_id: id, column_id: column.id }));
    const find = { dimensions: [city], measures: [km] };
    return JSON.stringify({ action: "get", find, key, token });
  };
  /** The small query, and its p99 in milliseconds without other work. */
  let quiet: Promise<{ query: string; aloneMs: number }> | undefined;
  const quietQuery = () =>
    (quiet ??= (async () => {
      const query = await smallQuery();
      const alone = "a small query, no other work";
      const { p99Ms } = await measured(host, alone, () => sleep(3_000).then(() => ""), query);
      return { query, aloneMs: p99Ms };
    })());
  /** Returns the body of a call that queries 200,000 raw rows. */
  const longQuery = async () => {
    const rows = (part: number) =>
      Array.from({ length: 10_000 }, (_, row) => [`person ${part} ${row}`, row]);
    const { id, columns } = await made(rows(0), ["person", "km"]);
    for (let part = 1; part < 20; part++)
      await client.create("data", { type: "append", securable_id: id, data: rows(part) });
    const dimensions = columns.map((column) => ({ dataset_id: id, column_id: column.id }));
    const find = { dimensions, options: { rollup_data: false } };
    return JSON.stringify({ action: "get", find, key: ownerKey, token: ownerToken });
  };
  /** Opens a plugin dataset and a query that needs all rows of the dataset. */
  const openLarge = async (workerData: LargePluginTask) => {
    const thread = new Worker(new URL("./hostile/largePlugin.ts", import.meta.url), { workerData });
    const [url] = (await once(thread, "message")) as [string];
    const slug = `large${new URL(url).port}`;
    await client.create("plugin", { slug, name: { en: slug }, base_url: url });
    const account = await client.create<{ id: string }>("account", { provider: slug, name: slug });
    const find = { provider: slug, account_id: account.id };
    const { data: sets } = await client.create<{
      data: { id: string; columns: { id: string; source_name: string }[] }[];
    }>("dataprovider", { ...find, action: "create", datasets: ["large"] });
    const set = sets[0]!;
    const km = set.columns.find(({ source_name }) => source_name === "km")!;
    const measure = { dataset_id: set.id, column_id: km.id };
    const body = JSON.stringify({
      action: "get",
      find: { measures: [measure] },
      key: ownerKey,
      token: ownerToken,
    });
    return { runQuery: () => together(1, () => send(data, body)), close: () => thread.terminate() };
  };
  /** Returns a small query of an organization that was created by signing up. */
  const strangersQuery = async () => {
    const signedUp = await fetch(`${host.url}/0.1.0/user`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        action: "create",
        version: "0.1.0",
        properties: {
          email: "quiet@example.org",
          company: "quiet",
          password: "an apple a day keeps",
        },
      }),
    });
    const { key, token } = (await signedUp.json()) as { key: string; token: string };
    const quietClient = createClient({ url: host.url, key, token });
    const rows = Array.from({ length: 1000 }, (_, row) => [`city ${row % 20}`, row]);
    const created = await quietClient.create<{ rows: { id: string; columns: { id: string }[] }[] }>(
      "data",
      {
        type: "create",
        data: rows,
        options: { header: ["city", "km"] },
      },
    );
    const { id, columns } = created.rows[0]!;
    const pair = await quietClient.create<{ id: string; token: string }>("authorization", {
      type: "api",
    });
    const [city, km] = columns.map((column) => ({ dataset_id: id, column_id: column.id }));
    const find = { dimensions: [city], measures: [km] };
    return JSON.stringify({ action: "get", find, key: pair.id, token: pair.token });
  };
  let tokenPair = "";
  /** Creates a dataset of 80,000 rows that an embed token may use. */
  const shapedColumns = async (): Promise<ShapeColumns> => {
    const rows = (part: number) =>
      Array.from({ length: 10_000 }, (_, index) => {
        const row = part * 10_000 + index;
        const at = new Date(1.2e12 + row * 5_911_000).toISOString();
        return [
          `person né ${row} of many`,
          `city ${(row * 7919) % 20_000}`,
          `region ${row % 40}`,
          row,
          at,
        ];
      });
    const { id, columns } = await made(rows(0), ["name", "city", "region", "km", "at"]);
    for (let part = 1; part < 8; part++)
      await client.create("data", { type: "append", securable_id: id, data: rows(part) });
    const issued = await client.create<{ id: string; token: string }>("authorization", {
      type: "embed",
      username: "visitor",
      access: { datasets: [{ id, rights: "use" }] },
    });
    tokenPair = `"key":"${issued.id}","token":"${issued.token}"`;
    const [name, city, region, km, at] = columns.map((column) => ({
      dataset_id: id,
      column_id: column.id,
    }));
    if (!name || !city || !region || !km || !at) throw new Error("the dataset lacks columns");
    return { name, city, region, km, at };
  };
  /** Repeats calls of one kind for a while, and then aborts the calls that are still running. */
  const repeated = async ({ resource, body }: Shape, count: number): Promise<string> => {
    const text = JSON.stringify(body);
    const whole = `{${tokenPair},${text.slice(1)}`;
    const startedAt = performance.now();
    const cpuFrom = cpuMs(host.pid);
    const giveUp = AbortSignal.timeout(shapeSeconds.most * 1000);
    const answers = new Map<string, number>();
    const one = async () => {
      do {
        const outcome = await fetch(`${host.url}/0.1.0/${resource}`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: whole,
          signal: giveUp,
        })
          .then(
            async (answer) => {
              let shown = "";
              if (!answer.ok) shown = ` ${(await answer.text()).slice(0, 150)}`;
              else for await (const _ of answer.body ?? []);
              return `${answer.status}${shown}`;
            },
            () => "given up",
          )
          .catch(() => "given up");
        answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
      } while (performance.now() - startedAt < shapeSeconds.least * 1000);
    };
    await Promise.all(Array.from({ length: count }, one));
    const shown = [...answers].map(([outcome, times]) => `${times} x ${outcome}`).join(", ");
    return `${(whole.length / 1024).toFixed(0)} KiB, ${((cpuMs(host.pid) - cpuFrom) / 1000).toFixed(1)} s of processor time; ${shown}`;
  };
  /**
   * Returns the longest time for which the main thread was blocked since the previous call, in milliseconds of
   * processor time.
   */
  const longestStretch = async (): Promise<number> => {
    const before = existsSync(stretchFile) ? readFileSync(stretchFile, "utf8") : "";
    process.kill(host.pid, "SIGUSR2");
    let now = before;
    while (now === before) {
      await sleep(20);
      now = existsSync(stretchFile) ? readFileSync(stretchFile, "utf8") : "";
    }
    return Number(now.trim().split("\n").at(-1));
  };
  const parts: Readonly<Record<string, () => Promise<void>>> = {
    async quiet() {
      await measured(host, "nothing else", () => sleep(3_000).then(() => ""));
    },
    async brotli() {
      const params = { [constants.BROTLI_PARAM_LGWIN]: 24 };
      const bomb = brotliCompressSync(`${objects(60 * mebibyte)}${wrong}}`, { params });
      const headers = { "Content-Encoding": "br" };
      await attacked(`8 bodies of ${bomb.length} bytes of brotli`, () =>
        together(8, () => send(data, bomb, headers)),
      );
    },
    async gzip() {
      const bomb = gzipSync(`${objects(60 * mebibyte)}${wrong}}`);
      const headers = { "Content-Encoding": "gzip" };
      await attacked(
        `12 bodies of ${Math.round(bomb.length / 1024)} KiB of gzip, 60 MiB uncompressed`,
        () => together(12, () => send(data, bomb, headers)),
      );
    },
    async plain() {
      const body = `${objects(12 * mebibyte)}${wrong}}`;
      await attacked("4 bodies of 12 MiB of {}, wrong key last", () =>
        together(4, () => send(data, body)),
      );
    },
    async text() {
      const cells = `"${"x".repeat(1000)}",`.repeat(15_000);
      const body = `{"x":[${cells}0],${wrong}}`;
      await attacked("8 bodies of 15 MiB of strings, wrong key last", () =>
        together(8, () => send(data, body)),
      );
    },
    async unfinished() {
      const { hostname, port } = new URL(host.url);
      const texts = `"${"x".repeat(mebibyte)}",`;
      await attacked("25 bodies of 60 MiB that never end", async () => {
        const sockets = await Promise.all(
          Array.from({ length: 25 }, async () => {
            const socket = connect(Number(port), hostname);
            socket.on("error", () => undefined);
            socket.resume();
            const closed = new Promise((resolve) => socket.once("close", resolve));
            socket.write(
              `POST /0.1.0/data HTTP/1.1\r\nHost: h\r\nContent-Length: ${64 * mebibyte}\r\n\r\n{"x":[`,
            );
            for (let part = 0; part < 60 && !socket.destroyed; part++)
              if (!socket.write(texts))
                await Promise.race([once(socket, "drain").catch(() => undefined), closed]);
            return socket;
          }),
        );
        const open = sockets.filter(({ destroyed }) => !destroyed).length;
        for (const socket of sockets) socket.destroy();
        return `${open} still open after their last part`;
      });
    },
    async wide() {
      const cells = Array.from({ length: 200 }, (_, index) =>
        index % 2 ? `city ${index}` : index,
      );
      const rows = Array.from({ length: 10_000 }, () => cells);
      const body = JSON.stringify({
        action: "get",
        properties: { data: rows },
        key: ownerKey,
        token: ownerToken,
      });
      await attacked(
        `3 calls of ${Math.round(body.length / mebibyte)} MiB from a known caller`,
        () => together(3, () => send(data, body)),
      );
    },
    async readers() {
      const { query, aloneMs } = await quietQuery();
      const body = await longQuery();
      const { hostname, port } = new URL(host.url);
      const name = "a small query, 20 clients do not read 200,000 rows";
      const { p99Ms } = await measured(
        host,
        name,
        async () => {
          const sockets = Array.from({ length: 20 }, () => {
            const socket = connect(Number(port), hostname);
            socket.on("error", () => undefined);
            socket.pause();
            socket.write(
              `POST /0.1.0/data HTTP/1.1\r\nHost: h\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
            );
            return socket;
          });
          await sleep(5_000);
          for (const socket of sockets) socket.destroy();
          return "";
        },
        query,
      );
      bars.push(atMost(`p99 relative to alone: ${name}`, p99Ms / aloneMs, waitBar));
    },
    async plugin() {
      const { query, aloneMs } = await quietQuery();
      for (const [name, rows] of [
        ["small rows", [["Ghent", 1]]],
        [
          "usual rows",
          [
            ["Ghent, a city in Belgium", 123456.789],
            ["Lille, a city in France", 0.125],
          ],
        ],
        ["distinct texts", Array.from({ length: 20_000 }, (_, row) => [`city ${row}`, row])],
      ] as const)
        for (const sizeMib of [20, 240]) {
          const large = await openLarge({
            sizeBytes: sizeMib * mebibyte,
            rows: rows as LargePluginTask["rows"],
          });
          const title = `a small query, ${sizeMib} MiB of ${name}`;
          const { p99Ms, startMib, peakMib } = await measured(host, title, large.runQuery, query);
          await large.close();
          const rowBytes = JSON.stringify(rows).length / rows.length;
          const columnsMib = (sizeMib / rowBytes) * cellBytes;
          bars.push(atMost(`p99 relative to alone: ${title}`, p99Ms / aloneMs, waitBar));
          if (sizeMib > 100)
            bars.push(
              atMost(
                `memory relative to columns: ${title}`,
                (peakMib - startMib) / columnsMib,
                memoryBar,
              ),
            );
        }
    },
    async tokens() {
      const query = await strangersQuery();
      const shapes = hostileShapes(await shapedColumns());
      const headline = "a small query of another organization";
      const { p50Ms, p99Ms } = await measured(
        host,
        headline,
        () => sleep(4_000).then(() => ""),
        query,
      );
      for (const [name, shape] of Object.entries(shapes)) {
        if (!name.includes(wantedShape)) continue;
        for (const count of [1, 4]) {
          const title = `${count} x ${name}`;
          await longestStretch();
          const found = await measured(host, title, () => repeated(shape, count), query);
          const beyondMs = found.p99Ms - p99Ms;
          bars.push(atMost(`p99 above alone: ${title}`, beyondMs, tokenBarMs, "ms"));
          const stretchMs = await longestStretch();
          bars.push(
            atMost(`longest block of the main thread: ${title}`, stretchMs, tokenBarMs, "ms"),
          );
          print(
            `      main thread blocked for at most ${stretchMs.toFixed(1)} ms of its processor time; p50 relative to alone ${(found.p50Ms / p50Ms).toFixed(1)}`,
          );
        }
      }
    },
    async push() {
      const rows = (from: number) =>
        Array.from({ length: 10_000 }, (_, row) => [
          `city ${(from + row) % 300}`,
          from + row,
          "2024-01-05T10:00:00Z",
          row * 0.25,
          row % 7,
        ]);
      const { id } = await made(rows(0), ["city", "id", "at", "km", "day"]);
      const waits: number[] = [];
      let cpuFrom = 0;
      for (let call = 0; call < 60; call++) {
        if (call === 10) cpuFrom = cpuMs(host.pid);
        const properties = { type: "append", securable_id: id, data: rows(call) };
        const body = `${JSON.stringify({ action: "create", properties }).slice(0, -1)},${pair}}`;
        const { status, ms } = await send(data, body);
        if (status !== 200) throw new Error(`a push failed with status ${status}`);
        if (call >= 10) waits.push(ms);
      }
      const cpu = ((cpuMs(host.pid) - cpuFrom) / waits.length).toFixed(1);
      print(
        `  push of 10,000 rows x 5 columns, ms: median, min, max ${shownSpread(spreadOf(waits))}; ${cpu} ms of processor time`,
      );
    },
  };
  print(
    `  ${"/healthz, milliseconds".padEnd(46)}${["median", "p99", "max", "MiB"].map((each) => each.padStart(9)).join("")}`,
  );
  for (const [name, run] of Object.entries(parts)) if (name.startsWith(wanted)) await run();
  reportBars(bars);
} finally {
  await host.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}
