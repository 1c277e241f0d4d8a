/**
 * Checks that a store ends with the memory that it started with. Appends, pushes, replaces, retypes, compacts, drops
 * and queries tables for `--minutes n` (1 by default), and cancels some of the queries. At the end of each round, all
 * tables are dropped. Compares the memory at the end with the memory after three tenths of the time. Before each of the
 * two readings, the store rests until arenas are swept. `--seed n` selects the random work; a failed round prints its
 * seed.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { EngineError, openStore, type Store } from "../../engine/index.ts";
import { makePlan } from "./randomPlan.ts";
import { makeRows, makeTables } from "./randomTables.ts";
import { makeFolder, toBatch } from "./tables.ts";
import { createRandom } from "../support/random.ts";

const { values } = parseArgs({
  strict: false,
  options: { minutes: { type: "string" }, seed: { type: "string" } },
});
const minutes = Number(values.minutes ?? 1);
const random = createRandom(Number(values.seed ?? 1));
const stepsPerRound = 150;
/** Share of the run's time after which code is compiled and heaps have reached their size. */
const warmShare = 0.3;
/**
 * Milliseconds of a rest. It is long enough for three sweeps of the arenas: an arena that stays empty from one sweep to
 * the next is released.
 */
const restMs = 50_000;
/**
 * Maximum ratio of the last reading to the earlier reading. It is above 1, because the allocator keeps pages, and V8
 * compiles code in between.
 */
const slackShare = 1.1;
/** Maximum growth of the arenas. Some growth is allowed, because the sweep keeps one smaller arena. */
const arenaSlackMib = 64;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const tables = makeTables({ wordCount: 20_000, hasExtremes: true });
const names = tables.map(({ name }) => name);
const expected = new Set([
  "QUERY_CANCELLED",
  "COLUMN_TYPE",
  "JOIN_AMBIGUOUS",
  "TABLE_UNKNOWN",
  "COLUMN_UNKNOWN",
  "COLUMN_EXISTS",
  "TABLE_EXISTS",
  "INGEST_CELL",
]);

const kinds = {
  query: 6,
  cancel: 1,
  append: 2,
  push: 1,
  replace: 1,
  alter: 1,
  retype: 1,
  compact: 1,
  drop: 1,
} as const;
type Kind = keyof typeof kinds;
const drawn = Object.entries(kinds).flatMap(([kind, share]) =>
  Array.from({ length: share }, () => kind as Kind),
);

interface Sample {
  readonly storeMib: number;
  readonly arenasMib: number;
  readonly heapMib: number;
  readonly buffersMib: number;
  readonly residentMib: number;
  readonly openFiles: number;
  readonly diskMib: number;
}

const folder = await makeFolder();
const store = await openStore({ dir: folder.path, workers: 2, memoryBytes: 2 ** 30 });
const samples: Sample[] = [];
const counts = new Map<string, number>();
const rested: Sample[] = [];
try {
  const startedAt = performance.now();
  const share = () => (performance.now() - startedAt) / (minutes * 60_000);
  while (samples.length < 3 || share() < 1) {
    await runRound(store);
    samples.push(await takeSample(store));
    if (rested.length === 0 && share() >= warmShare) rested.push(await takeRested(store));
  }
  rested.push(await takeRested(store));
} finally {
  await store.close();
  await folder.remove();
}
report();

/** Creates tables, runs up to four operations on them at a time, and drops them. */
async function runRound(target: Store): Promise<void> {
  await Promise.all(tables.map((table) => create(target, table.name)));
  for (const name of names) await append(target, name);
  const running = new Set<Promise<void>>();
  for (let step = 0; step < stepsPerRound; step++) {
    const task = act(target)
      .catch((cause: unknown) => {
        if (!(cause instanceof EngineError) || !expected.has(cause.code))
          throw new Error(`SEED=${random.seed}, round ${samples.length}, step ${step}`, { cause });
        count(cause.code);
      })
      .finally(() => running.delete(task));
    running.add(task);
    if (running.size >= 4) await Promise.race(running);
  }
  await Promise.all(running);
  for (const name of names) if (target.table(name)) await target.drop({ table: name });
}

async function act(target: Store): Promise<void> {
  const kind = random.pick(drawn);
  await carryOut(target, kind, random.pick(names));
  count(kind);
}

async function carryOut(target: Store, kind: Kind, name: string): Promise<void> {
  const columns = columnsOf(name);
  switch (kind) {
    case "query":
      await target.query(plan());
      return;
    case "cancel": {
      const leaving = new AbortController();
      const answer = target.query(plan(), { signal: leaving.signal });
      setTimeout(() => leaving.abort(), random.below(5));
      await answer;
      return;
    }
    case "append":
      return append(target, name);
    case "push": {
      const rows = rowsOf(name, 4000).map((row) =>
        columns.map(({ name: member, type }) => {
          const cell = row[member] ?? null;
          return type === "datetime" && cell !== null ? new Date(cell).toISOString() : cell;
        }),
      );
      const bytes = new TextEncoder().encode(JSON.stringify(rows));
      const decoded = await target.decode({ bytes, types: columns.map(({ type }) => type) });
      const batch = {
        rowCount: decoded.rowCount,
        columns: decoded.columns.map(({ column }) => column),
      };
      await target.append({
        table: name,
        rows: { names: columns.map((column) => column.name), batch },
      });
      decoded.release();
      return;
    }
    case "replace":
      await target.replace({ table: name, rows: toBatch(columns, rowsOf(name, 30_000)), columns });
      return;
    case "alter": {
      const added = `added${random.below(3)}`;
      const isThere = target.table(name)?.columns.some((each) => each.name === added);
      if (isThere) await target.alter({ table: name, drop: [added] });
      else await target.alter({ table: name, add: [{ name: added, type: "text" }] });
      return;
    }
    case "retype": {
      const [first] = columns;
      if (first) await target.alter({ table: name, retype: [{ name: first.name, type: "text" }] });
      return;
    }
    case "compact":
      return target.compact({ table: name });
    case "drop":
      await target.drop({ table: name });
      return create(target, name);
  }
}

function plan() {
  return makePlan(random, { tables, isSql: false });
}

function columnsOf(name: string) {
  const found = tables.find((table) => table.name === name);
  return (found?.columns ?? []).map((column) => ({ name: column.name, type: column.type }));
}

async function create(target: Store, name: string): Promise<void> {
  await target.create({ name, columns: columnsOf(name) });
}

async function append(target: Store, name: string): Promise<void> {
  await target.append({ table: name, rows: toBatch(columnsOf(name), rowsOf(name, 20_000)) });
}

function rowsOf(name: string, most: number) {
  const rows = makeRows(random, tables, 1 + random.below(most));
  return rows[name] ?? [];
}

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

async function takeSample(target: Store): Promise<Sample> {
  // Memory that was released in the last turns of the event loop is returned to the system in the next turns.
  await wait(50);
  collect();
  await wait(50);
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  const { memoryBytes, arenaBytes } = target.stats();
  return {
    storeMib: memoryBytes / 2 ** 20,
    arenasMib: arenaBytes / 2 ** 20,
    heapMib: heapUsed / 2 ** 20,
    buffersMib: external / 2 ** 20,
    residentMib: rss / 2 ** 20,
    openFiles: readdirSync("/proc/self/fd").length,
    diskMib: readdirSync(folder.path).reduce(
      (sum, file) => sum + statSync(join(folder.path, file)).size / 2 ** 20,
      0,
    ),
  };
}

async function takeRested(target: Store): Promise<Sample> {
  await wait(restMs);
  return takeSample(target);
}

/**
 * Prints the memory after the two rests, and the minimum memory of each tenth of the rounds. A leak grows from tenth to
 * tenth; a temporary peak does not.
 */
function report(): void {
  const tenths = Array.from({ length: 10 }, (_, tenth) =>
    samples.slice(
      Math.floor((samples.length * tenth) / 10),
      Math.max(1, Math.ceil((samples.length * (tenth + 1)) / 10)),
    ),
  );
  const print = (line: string) => process.stdout.write(`  ${line}\n`);
  print(`seed ${random.seed}, ${minutes} minutes, ${samples.length} rounds`);
  print([...counts].map(([what, times]) => `${times} ${what}`).join(", "));
  print(`peak resident ${(peakKib() / 1024).toFixed(0)} MiB`);
  for (const member of Object.keys(samples[0]) as (keyof Sample)[]) {
    const least = tenths.map((part) => Math.min(...part.map((sample) => sample[member])));
    const [first, last] = rested.map((sample) => sample[member]);
    const slackMib = member === "arenasMib" || member === "residentMib" ? arenaSlackMib : 1;
    const holds = last <= first * slackShare + slackMib;
    const show = (value: number) => value.toFixed(1).padStart(7);
    const shown = `${show(first)} ->${show(last)}   ${least.map(show).join("")}`;
    print(`${member.padEnd(12)}${shown}  ${holds ? "holds" : "GROWS"}`);
    if (!holds) process.exitCode = 1;
  }
}

function peakKib(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
}
