/**
 * Does the catalog handle 10,000 users, 100,000 datasets and dashboards, 1,000,000 columns and as many rights? The
 * bench measures first pages as clients request them, through the kernel and over HTTP, and checks of rights and
 * tokens. Every statement is explained, and a statement that scans a whole table of 10,000 or more rows fails the
 * bench. The catalog is the embedded PostgreSQL as the host runs it. The figures are wrong when another process runs.
 * Options: `--rows 10k|100k|1m` (columns; everything else scales with them), `--seed n`, `--repeats n`, `--json file`,
 * and `--folder path`, which keeps the filled catalog for the next run.
 */
import type { Principal } from "../../core/base/contracts/index.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openAccess, permits } from "../../core/identity/access/index.ts";
import { openCatalog, readHostSecret, createCipher } from "../../core/catalog/index.ts";
import { createKernel, openRecords } from "../../core/resources/index.ts";
import { createPlainConnections } from "../support/plainConnections.ts";
import { createPlainPlugin } from "../support/plainPlugin.ts";
import { startHostProcess } from "../support/hostProcess.ts";
import { silentLog } from "../support/catalog.ts";
import { fillCatalog, isFilled, sizeOf } from "./catalog/fillCatalog.ts";
import { idOf, pagesOf, type Caller, type Page } from "./catalog/pages.ts";
import { findLongScans, sentDuring, type LongScan } from "./catalog/plans.ts";

interface Figure {
  readonly name: string;
  readonly mostMs: number;
  readonly leastMs: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly found?: string;
}
interface Found {
  readonly count: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1m" },
    seed: { type: "string", default: "1" },
    repeats: { type: "string", default: "15" },
    only: { type: "string" },
    folder: { type: "string" },
    json: { type: "string" },
  },
});
const [, digits, unit] = /^(\d+)([km])$/.exec(values.rows) ?? [];
if (!digits || !unit) throw new Error(`--rows must be 10k, 100k or 1m, not ${values.rows}`);
const size = sizeOf(Number(digits) * (unit === "k" ? 1_000 : 1_000_000));
const seed = Number(values.seed);
const repeats = Number(values.repeats);

const longRowCount = 10_000;
const pageMs = 50;
const checkMs = 5;
const callers: Readonly<Record<Caller, readonly [kind: string, index: number]>> = {
  owner: ["api", 0],
  member: ["api", Math.floor(size.users / 8)],
  embed: ["embed", 7],
};
const pairOf = (caller: Caller) => {
  const [kind, index] = callers[caller];
  return { key: idOf(seed, kind, index), token: `token${index}` };
};

const figures: Figure[] = [];
async function measure(
  name: string,
  mostMs: number,
  run: () => Promise<unknown>,
  found?: Found,
): Promise<void> {
  const measured: number[] = [];
  for (let index = 0; index < repeats + 2; index++) {
    const startedAt = performance.now();
    await run();
    if (index >= 2) measured.push(performance.now() - startedAt);
  }
  const sorted = measured.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  const rows = found && `${found.rows.length} of ${found.count}`;
  const figure = {
    name,
    mostMs,
    leastMs: at(0),
    medianMs: at(0.5),
    p95Ms: at(0.95),
    ...(rows && { found: rows }),
  };
  figures.push(figure);
  const shown = [figure.leastMs, figure.medianMs, figure.p95Ms]
    .map((ms) => ms.toFixed(2).padStart(9))
    .join("");
  print(
    `  ${name.padEnd(74)}${shown}${(rows ?? "").padStart(16)}${figure.medianMs > mostMs ? "  TOO LONG" : ""}`,
  );
}

const dataDir = values.folder ?? mkdtempSync(join(tmpdir(), "manifold-bench-"));
const long: (LongScan & { readonly name: string })[] = [];
try {
  await measureInProcess();
  await measureOverHttp();
  const late = figures.filter(({ medianMs, mostMs }) => medianMs > mostMs);
  print(
    `\n  ${figures.length - late.length} of ${figures.length} figures hold: pages ${pageMs} ms, checks ${checkMs} ms (medians)`,
  );
  for (const { name, table, rowCount, sql } of long)
    print(`  FAILED: ${name} reads all ${rowCount} rows of ${table}:\n    ${sql}`);
  if (long.length > 0 || late.length > 0) process.exitCode = 1;
  if (values.json)
    writeFileSync(
      values.json,
      `${JSON.stringify({ size, seed, repeats, figures, long }, undefined, 1)}\n`,
    );
} finally {
  if (!values.folder) rmSync(dataDir, { recursive: true, force: true });
}

async function measureInProcess(): Promise<void> {
  const options = { databaseUrl: undefined, dataDir, log: silentLog };
  const cipher = createCipher(await readHostSecret({ ...options, secret: undefined }));
  const catalog = await openCatalog(options);
  const access = openAccess({ catalog, cipher, log: silentLog });
  try {
    const startedAt = performance.now();
    if (!(await isFilled(catalog.knex, seed, size))) await fillCatalog(catalog.knex, seed, size);
    print(
      `  ${size.users} users, ${size.securables} datasets and dashboards, ${size.columns} columns, ${size.rights} rights, seed ${seed}: ready in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
    );
    print(`\n  milliseconds${"  min   median      p95".padStart(89)}${"rows".padStart(16)}`);
    const records = openRecords({ catalog, cipher });
    const plain = { store: createPlainPlugin(), scratch: createPlainPlugin(), accounts: {} };
    const connections = createPlainConnections(plain);
    const kernel = createKernel({ records, catalog, cipher, connections, log: silentLog });
    const principals = new Map<Caller, Principal>();
    for (const caller of ["owner", "member", "embed"] as const)
      principals.set(caller, await access.authenticate(pairOf(caller)));
    const principalOf = (caller: Caller) => principals.get(caller) as Principal;
    const explained = async (name: string, run: () => Promise<unknown>) => {
      const sent = await sentDuring(catalog.knex, run);
      const found = await findLongScans(catalog.knex, sent, { longRowCount });
      long.push(...found.map((scan) => ({ name, ...scan })));
    };

    const get = (page: Page, caller: Caller): Promise<Found> => {
      const handler = kernel.handlers[page.resource]?.get;
      if (!handler) throw new Error(`${page.resource} has no get action`);
      return handler({
        resource: page.resource,
        action: "get",
        body: { find: page.find },
        principal: principalOf(caller),
        requestId: "bench",
        address: undefined,
        signal: new AbortController().signal,
      }) as Promise<Found>;
    };
    for (const page of pagesOf(seed))
      for (const caller of page.callers) {
        const name = `${page.name}: ${caller}`;
        const run = () => get(page, caller);
        await measure(name, pageMs, run, await run());
        await explained(name, run);
      }

    print("");
    const ids = [
      idOf(seed, "securable", 0),
      idOf(seed, "securable", 1),
      idOf(seed, "securable", 99),
    ];
    for (const caller of ["owner", "member", "embed"] as const) {
      const check = () => records.visible("securable", ids.slice(0, 1), "use", principalOf(caller));
      await measure(`the right on one dataset: ${caller}`, checkMs, check);
      await explained(`the right on one dataset: ${caller}`, check);
      const authenticate = () => access.authenticate(pairOf(caller));
      await measure(`key and token, known: ${caller}`, checkMs, authenticate);
      const fresh = () => (access.forget(), authenticate());
      await measure(`key and token, from the catalog: ${caller}`, checkMs, fresh);
      await explained(`key and token: ${caller}`, fresh);
      const permit = async () => permits(principalOf(caller), "securable", "get");
      await measure(`which actions a token may use: ${caller}`, checkMs, permit);
    }
  } finally {
    await access.close();
    await catalog.close();
  }
}

async function measureOverHttp(): Promise<void> {
  const host = await startHostProcess(dataDir);
  try {
    print("");
    const wanted = pagesOf(seed).slice(0, 3);
    for (const page of wanted)
      for (const caller of page.callers) {
        const sendCall = async () => {
          const answer = await fetch(`${host.url}/0.1.0/${page.resource}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({
              action: "get",
              version: "0.1.0",
              ...pairOf(caller),
              find: page.find,
            }),
          });
          if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
          return (await answer.json()) as Found;
        };
        await measure(`over HTTP: ${page.name}: ${caller}`, pageMs, sendCall, await sendCall());
      }
  } finally {
    await host.end("SIGTERM");
  }
}
