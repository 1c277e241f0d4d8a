/**
 * What do others notice while somebody sends bodies that cost much, with no right or with one, and while a plugin answers a lot? `/healthz` is asked
 * every 5 ms over one kept connection, by a thread of its own. The limits of calls are off, so that the host does all of the work. A figure is
 * wrong when other processes take the processors: waiting for one of them counts too. `--only hostile:<name>` measures one part.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
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
import type { Probed, ProbeTask } from "./hostile/probe.ts";
import { shownSpread, spreadOf } from "./spread.ts";

const { values } = parseArgs({ options: { only: { type: "string" } }, strict: false });
const wanted = String(values["only"] ?? "").split(":")[1] ?? "";
const mebibyte = 2 ** 20;
const print = (line: string) => process.stdout.write(`${line}\n`);

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

/** Prints how long /healthz took while the work was under way, and most memory. */
async function measured(
  host: HostProcess,
  name: string,
  work: () => Promise<string>,
): Promise<void> {
  const workerData: ProbeTask = { url: host.url, pid: host.pid };
  const probe = new Worker(new URL("./hostile/probe.ts", import.meta.url), { workerData });
  await sleep(300);
  const startedAt = performance.now();
  const outcome = await work();
  const workMs = performance.now() - startedAt;
  await sleep(300);
  probe.postMessage("stop", []);
  const [{ waits, peakMib }] = (await once(probe, "message")) as [Probed];
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  const figure = (ms: number) => ms.toFixed(1).padStart(9);
  print(
    `  ${name.padEnd(46)}${figure(at(0.5))}${figure(at(0.99))}${figure(at(1))}${peakMib.toFixed(0).padStart(9)}  ${workMs.toFixed(0)} ms: ${outcome}`,
  );
}

const statuses = (answers: readonly Sent[]) => answers.map(({ status }) => status).join(" ");
const together = (count: number, run: () => Promise<Sent>) =>
  Promise.all(Array.from({ length: count }, run)).then(statuses);

const dataDir = mkdtempSync(join(tmpdir(), "manifold-hostile-"));
const host = await startHostProcess(dataDir, { MANIFOLD_FAILURES_PER_MINUTE: "0" });
try {
  const data = `${host.url}/0.1.0/data`;
  const pair = `"key":"${ownerKey}","token":"${ownerToken}"`;
  const wrong = `"key":"${ownerKey}","token":"wrong"`;
  const objects = (bytes: number) => `{"x":[${"{},".repeat(bytes / 3)}{}],`;
  const parts: Readonly<Record<string, () => Promise<void>>> = {
    async quiet() {
      await measured(host, "nothing else", () => sleep(3_000).then(() => ""));
    },
    async brotli() {
      const params = { [constants.BROTLI_PARAM_LGWIN]: 24 };
      const bomb = brotliCompressSync(`${objects(60 * mebibyte)}${wrong}}`, { params });
      const headers = { "Content-Encoding": "br" };
      await measured(host, `8 bodies of ${bomb.length} bytes of brotli`, () =>
        together(8, () => send(data, bomb, headers)),
      );
    },
    async gzip() {
      const bomb = gzipSync(`${objects(60 * mebibyte)}${wrong}}`);
      const headers = { "Content-Encoding": "gzip" };
      await measured(
        host,
        `12 bodies of ${Math.round(bomb.length / 1024)} KiB of gzip for 60 MiB`,
        () => together(12, () => send(data, bomb, headers)),
      );
    },
    async plain() {
      const body = `${objects(12 * mebibyte)}${wrong}}`;
      await measured(host, "4 bodies of 12 MiB of {}, wrong key last", () =>
        together(4, () => send(data, body)),
      );
    },
    async text() {
      const cells = `"${"x".repeat(1000)}",`.repeat(15_000);
      const body = `{"x":[${cells}0],${wrong}}`;
      await measured(host, "8 bodies of 15 MiB of texts, wrong key last", () =>
        together(8, () => send(data, body)),
      );
    },
    async unfinished() {
      const { hostname, port } = new URL(host.url);
      const texts = `"${"x".repeat(mebibyte)}",`;
      await measured(host, "25 bodies of 60 MiB that do not end", async () => {
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
        return `${open} open after their last part`;
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
      await measured(
        host,
        `3 calls of ${Math.round(body.length / mebibyte)} MiB of a known caller`,
        () => together(3, () => send(data, body)),
      );
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
      const header = ["city", "id", "at", "km", "day"];
      const created = await host.client.create<{ rows: { id: string }[] }>("data", {
        type: "create",
        data: rows(0),
        options: { header, name: { en: "Trips" } },
      });
      const id = created.rows[0]!.id;
      const waits: number[] = [];
      for (let call = 0; call < 60; call++) {
        const properties = { type: "append", securable_id: id, data: rows(call) };
        const body = `${JSON.stringify({ action: "create", properties }).slice(0, -1)},${pair}}`;
        const { status, ms } = await send(data, body);
        if (status !== 200) throw new Error(`a push was answered ${status}`);
        if (call >= 10) waits.push(ms);
      }
      print(
        `  push of 10,000 rows x 5 columns, ms: median, min, max ${shownSpread(spreadOf(waits))}`,
      );
    },
  };
  print(
    `  ${"/healthz, milliseconds".padEnd(46)}${["median", "p99", "max", "MiB"].map((each) => each.padStart(9)).join("")}`,
  );
  for (const [name, run] of Object.entries(parts)) if (name.startsWith(wanted)) await run();
} finally {
  await host.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}
