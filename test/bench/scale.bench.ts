/**
 * What does ClickHouse as the store cost beside ClickHouse alone? Pushes through the store, beside inserts of the
 * server's own client into a table that syncs as well; the dashboard questions of `strata` through the store's plugin,
 * beside the statement of each over a table with the types and the order that a specialist chooses. The answers are
 * compared before a time counts. Both sides take turns; another process disturbs the times, and the ratio of processor
 * time (server and this process) suffers least. A join is not measured, since the host finishes it, and neither are the
 * two approximations, which the protocol does not have. `SCALE_ROWS` is the number of rows; `SCALE_SHARDS=2` asks a
 * cluster of two servers, the specialist a Distributed table over both.
 */
import { createClient } from "@clickhouse/client";
import { rowsOfBatch, type Cell } from "../../plugins/protocol/index.ts";
import { openClickhouseClusterStore } from "../support/clickhouseClusterStore.ts";
import { openClickhouseServer } from "../support/clickhouseServer.ts";
import { openClickhouseStore } from "../support/clickhouseStore.ts";
import { isClose } from "../support/isClose.ts";
import { atLeast, atMost, reportBars } from "./bars.ts";
import { processorTime } from "./processorTime.ts";
import { factBatch, storeColumns } from "./scale/factBatch.ts";
import { storeQuery } from "./scale/storeQuery.ts";
import { shownSpread, spreadOf } from "./spread.ts";
import type { BenchQuery } from "./strata/benchQuery.ts";
import { createQueries } from "./strata/queries.ts";

const rowCount = Number(process.env["SCALE_ROWS"] ?? 5_000_000);
const isPair = process.env["SCALE_SHARDS"] === "2";
const rowsAPush = 200_000;
const rounds = 9;
const call = { credentials: { properties: {} }, signal: new AbortController().signal };
const print = (line: string) => process.stdout.write(`${line}\n`);

const opened = isPair ? await openPair() : await openOne();
const { plugin, servers } = opened;
const url = new URL(opened.url);
const client = createClient({
  url: `http://${url.host}`,
  username: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database: opened.database,
});
const synced = "settings fsync_after_insert = 1, fsync_part_directory = 1";
const low = "LowCardinality(String)";
const specialists = `dt DateTime64(3, 'UTC'), dtu DateTime64(3, 'UTC'), s5 ${low}, s50 ${low}, s1000 ${low},
  s50k ${low}, s2m String, i1 Int32, i2 Int32, x Float64, y Float64, z Nullable(Float64)`;
/** Milliseconds by the clock and of the processors, of the servers and this process. */
const timed = async <Result>(run: () => Promise<Result>) => {
  const usedMs = () => {
    const { user, system } = process.cpuUsage();
    const own = (user + system) / 1000;
    return servers.reduce((sum, { pid }) => sum + processorTime(pid), own);
  };
  const [start, used] = [performance.now(), usedMs()];
  const result = await run();
  return { ms: performance.now() - start, cpuMs: usedMs() - used, result };
};
const meanOf = (ratios: readonly number[]) =>
  Math.exp(ratios.reduce((sum, each) => sum + Math.log(each), 0) / ratios.length);

try {
  const id = "f";
  const create = { action: "create" as const, id, columns: storeColumns, rowsFollow: true };
  await plugin.write?.({ ...call, write: create });
  await client.command({
    query: `create table pushed (${specialists}) engine = MergeTree order by dt ${synced}`,
  });
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let from = 0; from < rowCount; from += rowsAPush) {
    const rows = factBatch(rowCount, from, Math.min(rowsAPush, rowCount - from));
    const push = await timed(async () =>
      plugin.write?.({ ...call, write: { action: "append", id, rows } }),
    );
    ours.push(push.ms);
    if (theirs.length >= rounds) continue;
    const values = rowsOfBatch(rows.batch).map(clientRow);
    const insert = await timed(() =>
      client.insert({ table: "pushed", values, format: "JSONCompactEachRow" }),
    );
    theirs.push(insert.ms);
  }
  print(`  pushes of ${rowsAPush} rows, milliseconds                median       min       max`);
  print(`  ${"through the store".padEnd(46)} ${shownSpread(spreadOf(ours))}`);
  print(`  ${"the client, JSONCompactEachRow".padEnd(46)} ${shownSpread(spreadOf(theirs))}`);
  const rate = spreadOf(theirs).median / spreadOf(ours).median;

  await opened.copy(specialists, storeColumns.map((column) => column.id).join(", "));
  print(
    `\n  ${rowCount} rows, ${servers.length} server(s); medians of ${rounds} turns in milliseconds`,
  );
  print("  question      store  by hand   ratio      store cpu  by hand cpu   ratio");
  const [byClock, byProcessor]: [number[], number[]] = [[], []];
  for (const question of createQueries()) {
    const { name, plan, clickhouse, isChoice } = question;
    const query = storeQuery(plan);
    if (!query || !clickhouse) {
      print(`  ${name.padEnd(9)} not measured`);
      continue;
    }
    const sql = clickhouse.replace(/ FROM f\b/, " FROM own");
    const [own, byHand]: [Turn[], Turn[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      const mine = await timed(async () => rowsOfBatch(await plugin.query({ ...call, query })));
      const hand = await timed(async () => {
        const answer = await client.query({ query: sql, format: "JSONCompactEachRow" });
        return answer.json<unknown[]>();
      });
      if (isChoice !== true) refuseDifference(question, mine.result, hand.result);
      else if (mine.result.length !== hand.result.length) throw new Error(`${name}: other rows`);
      // The first turn warms both.
      if (round > 0) [own, byHand].forEach((turns, side) => turns.push(side === 0 ? mine : hand));
    }
    const [a, b] = [own, byHand].map((turns) => ({
      ms: spreadOf(turns.map(({ ms }) => ms)).median,
      cpuMs: turns.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / turns.length,
    })) as [Turn, Turn];
    byClock.push(a.ms / b.ms);
    byProcessor.push(a.cpuMs / b.cpuMs);
    const shown = (value: number, digits: number, width: number) =>
      value.toFixed(digits).padStart(width);
    print(
      `  ${name.padEnd(9)}${shown(a.ms, 1, 10)}${shown(b.ms, 1, 9)}${shown(a.ms / b.ms, 2, 8)}${shown(a.cpuMs, 1, 15)}${shown(b.cpuMs, 1, 13)}${shown(a.cpuMs / b.cpuMs, 2, 8)}`,
    );
  }
  reportBars([
    atLeast("pushes beside inserts of the client", rate, 0.8),
    atMost("questions beside a specialist's, geometric mean, time", meanOf(byClock), 1.15),
    atMost("questions beside a specialist's, processor time", meanOf(byProcessor), 1.15),
  ]);
} finally {
  await client.close();
  await opened.close();
}

interface Turn {
  readonly ms: number;
  readonly cpuMs: number;
}

async function openOne() {
  const server = await openClickhouseServer();
  const store = await openClickhouseStore(server);
  return {
    plugin: store.plugin,
    servers: [server],
    url: store.settings.clickhouseUrl,
    database: store.settings.clickhouseDatabase,
    async copy(types: string, names: string) {
      await store.database.run(`create table own (${types}) engine = MergeTree order by dt`);
      await store.database.run(`insert into own select ${names} from f`);
    },
    async close() {
      await store.close();
      await server.close();
    },
  };
}

async function openPair() {
  const store = await openClickhouseClusterStore();
  return {
    plugin: store.plugin,
    servers: store.servers,
    url: store.settings.clickhouseUrl.split(",")[0] ?? "",
    database: store.database,
    async copy(types: string, names: string) {
      await store.onEach(`create table own_rows (${types}) engine = MergeTree order by dt`);
      const own = `Distributed(pair, '${store.database}', own_rows, rand())`;
      await store.onEach(`create table own (${types}) engine = ${own}`);
      await client.command({
        query: `insert into own select ${names} from f settings distributed_foreground_insert = 1`,
      });
    },
    close: () => store.close(),
  };
}

/** Instants as the client's format reads them. */
function clientRow(row: readonly Cell[]): readonly Cell[] {
  return row.map((cell, index) =>
    storeColumns[index]?.type === "datetime" && typeof cell === "string"
      ? cell.slice(0, -1).replace("T", " ")
      : cell,
  );
}

/** @throws {Error} when the two sides answer other cells */
function refuseDifference(
  { name, keyCount }: Pick<BenchQuery, "name" | "keyCount">,
  ours: readonly (readonly Cell[])[],
  theirs: readonly (readonly unknown[])[],
): void {
  const keyOf = (row: readonly unknown[]) => JSON.stringify(row.slice(0, keyCount));
  const bag = (rows: readonly (readonly unknown[])[]) =>
    rows
      .map((row) => row.map((cell) => (typeof cell === "string" ? valueOf(cell) : cell)))
      .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const [mine, hand] = [bag(ours), bag(theirs)];
  const isSame =
    mine.length === hand.length &&
    mine.every((row, index) =>
      row.every((cell, place) => {
        const other = hand[index]?.[place];
        return typeof cell === "number" ? isClose(cell, Number(other)) : cell === other;
      }),
    );
  if (!isSame) throw new Error(`${name}: the two sides differ`);
}

/** Instants of our answers have a zone; days and instants of theirs are of UTC. Numbers may be texts. */
function valueOf(text: string): unknown {
  if (/^\d{4}-\d\d-\d\d/.test(text))
    return Date.parse(/Z$|^.{10}$/.test(text) ? text : `${text.replace(" ", "T")}Z`);
  return /^\d+$/.test(text) ? Number(text) : text;
}
