/**
 * What does a host with a ClickHouse store cost compared with ClickHouse alone? Pushes over HTTP are compared with
 * inserts by ClickHouse's own client into a table that also syncs. The dashboard queries of `strata` over HTTP, without
 * the cache, are compared with equivalent statements over a table with the types and the order that a specialist would
 * choose. The bench compares the answers before it counts any time. Both sides take turns. Another process disturbs the
 * times, but hardly the ratio of processor times (servers, host and this process).
 *
 * Two of the 18 queries request approximations, which the API does not offer. The host runs the exact queries instead.
 * The API always sorts before it returns the first rows, so the specialist's statement for Q11 also has an order. Both
 * sides order Q11b by `y`, and the host also by the remaining columns. `SCALE_ROWS` is the number of rows. The first
 * rows are pushed over HTTP, and the plugin writes the other rows to the same table. With `SCALE_SHARDS=2`, the store
 * is a cluster of two servers. The specialist then queries a Distributed table over both servers and has the joined
 * table on each server.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@clickhouse/client";
import { openStore } from "../../connectors/clickhouse/index.ts";
import { rowsOfBatch, type Cell } from "../../plugins/protocol/index.ts";
import { ownerKey, ownerToken, startHostProcess } from "../support/hostProcess.ts";
import { isClose } from "../support/isClose.ts";
import { atLeast, atMost, reportBars } from "./bars.ts";
import { processorTime } from "./processorTime.ts";
import { apiQuery, type ScaleDataset } from "./scale/apiQuery.ts";
import { factBatch, storeColumns } from "./scale/factBatch.ts";
import { openServers } from "./scale/openServers.ts";
import { storeQuery } from "./scale/storeQuery.ts";
import { shownSpread, spreadOf } from "./spread.ts";
import type { BenchQuery } from "./strata/benchQuery.ts";
import { categoryOf, dimensionSize, textOf } from "./strata/generateTable.ts";
import { createQueries } from "./strata/queries.ts";

const rowCount = Number(process.env["SCALE_ROWS"] ?? 5_000_000);
const isPair = process.env["SCALE_SHARDS"] === "2";
/** The maximum number of rows per call. */
const rowsAPush = 10_000;
const pushRounds = 30;
/**
 * Number of datasets, and of tables, that receive pushes at the same time. With only one, the bench would measure only
 * the disk.
 */
const writerCount = 4;
/** Number of rows per write with which the plugin fills the rest of the table. */
const rowsAFill = 200_000;
const rounds = Number(process.env["SCALE_TURNS"] ?? 9);
const call = { credentials: { properties: {} }, signal: new AbortController().signal };
const print = (line: string) => process.stdout.write(`${line}\n`);

const folder = mkdtempSync(join(tmpdir(), "manifold-scale-"));
const opened = await openServers(isPair);
const host = await startHostProcess(folder, { ...opened.environment, MANIFOLD_CACHE_MB: "0" });
const [server] = opened.servers;
const client = createClient({
  url: `http://${server!.host}:${server!.port}`,
  username: server!.admin.name,
  password: server!.admin.password,
  database: opened.database,
});
const synced = "settings fsync_after_insert = 1, fsync_part_directory = 1";
const low = "LowCardinality(String)";
const specialists = `dt DateTime64(3, 'UTC'), dtu DateTime64(3, 'UTC'), s5 ${low}, s50 ${low}, s1000 ${low},
  s50k ${low}, s2m String, i1 Int32, i2 Int32, x Float64, y Float64, z Nullable(Float64)`;
const firstRows = "ORDER BY dt, s50, s50k, x, i1";
/** Measures the wall time in milliseconds, and the processor time of the servers, the host and this process. */
const timed = async <Result>(run: () => Promise<Result>) => {
  const usedMs = () => {
    const { user, system } = process.cpuUsage();
    const others = [host, ...opened.servers].map(({ pid }) => processorTime(pid));
    return others.reduce((sum, each) => sum + each, (user + system) / 1000);
  };
  const [start, used] = [performance.now(), usedMs()];
  const result = await run();
  return { ms: performance.now() - start, cpuMs: usedMs() - used, result };
};
const meanOf = (ratios: readonly number[]) =>
  Math.exp(ratios.reduce((sum, each) => sum + Math.log(each), 0) / ratios.length);
const sendCall = async (action: string, members: object): Promise<Answer> => {
  const answer = await fetch(`${host.url}/0.1.0/data`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      key: ownerKey,
      token: ownerToken,
      version: "0.1.0",
      action,
      ...members,
    }),
  });
  const body: Answer = Object(await answer.json());
  if (!answer.ok) throw new Error(`${answer.status}: ${JSON.stringify(body).slice(0, 400)}`);
  return body;
};
const pushed = async (data: readonly (readonly Cell[])[], header: readonly string[]) => {
  const { rows } = await sendCall("create", {
    properties: { type: "create", data, options: { header } },
  });
  const id = rows?.[0]?.id ?? "";
  const found = await host.client.get<Found>("securable", {
    where: { id },
    include: [{ model: "Column" }],
  });
  const columns = new Map(
    found.rows[0]?.columns.map((column) => [column.source_name, column.id] as const),
  );
  return { id, columns } satisfies ScaleDataset;
};

try {
  const tables = Array.from({ length: writerCount }, (_, writer) => `pushed_${writer}`);
  for (const table of tables)
    await opened.onEach(
      `create table ${table} (${specialists}) engine = MergeTree order by dt ${synced}`,
    );
  const header = storeColumns.map(({ id }) => id);
  const [ours, theirs]: [number[], number[]] = [[], []];
  let datasets: readonly ScaleDataset[] = [];
  for (
    let round = 0, from = 0;
    round <= pushRounds && from < rowCount;
    round++, from += rowsAPush
  ) {
    const { batch } = factBatch(rowCount, from, Math.min(rowsAPush, rowCount - from));
    const data = rowsOfBatch(batch);
    const values = data.map(clientRow);
    const push = await timed(async () => {
      if (datasets.length === 0)
        datasets = await Promise.all(tables.map(() => pushed(data, header)));
      else
        await Promise.all(
          datasets.map(({ id }) =>
            sendCall("create", { properties: { securable_id: id, data, options: { header } } }),
          ),
        );
    });
    const insert = await timed(() =>
      Promise.all(
        tables.map((table) => client.insert({ table, values, format: "JSONCompactEachRow" })),
      ),
    );
    // The first push creates the datasets and warms up both sides.
    if (round > 0) [ours, theirs].forEach((times, side) => times.push([push, insert][side]!.ms));
  }
  const [dataset] = datasets;
  if (!dataset) throw new Error("no rows were pushed");
  const columnIds = header.map((name) => dataset.columns.get(name) ?? "");
  const plugin = await openStore({ ...opened.settings, timeoutMs: 120_000, sizeBytes: 2 ** 28 });
  for (let from = (pushRounds + 1) * rowsAPush; from < rowCount; from += rowsAFill) {
    const { batch } = factBatch(rowCount, from, Math.min(rowsAFill, rowCount - from));
    const rows = { columnIds, batch };
    await plugin.write?.({ ...call, write: { action: "append", id: dataset.id, rows } });
  }
  await plugin.close?.();
  print(
    `  ${writerCount} concurrent pushes of ${rowsAPush} rows, milliseconds         median       min       max`,
  );
  print(`  ${"through the host".padEnd(46)} ${shownSpread(spreadOf(ours))}`);
  print(`  ${"the client, JSONCompactEachRow".padEnd(46)} ${shownSpread(spreadOf(theirs))}`);
  const rate = spreadOf(theirs).median / spreadOf(ours).median;

  await opened.copy(dataset.id, specialists, columnIds);
  const dimension = Array.from({ length: dimensionSize }, (_, code) => [
    textOf.s50k(code),
    categoryOf(code),
  ]);
  const names = ["s50k", "cat20"];
  const merging = async () =>
    (await opened.onEach("select count() from system.merges")).some((count) => Number(count) > 0);
  const joined = await pushed(dimension.slice(0, rowsAPush), names);
  for (let from = rowsAPush; from < dimensionSize; from += rowsAPush) {
    const data = dimension.slice(from, from + rowsAPush);
    const properties = { securable_id: joined.id, data, options: { header: names } };
    await sendCall("create", { properties });
  }
  await host.client.call("column", "associate", {
    id: dataset.columns.get("s50k") ?? "",
    resource: { role: "Joins", id: joined.columns.get("s50k") ?? "" },
  });
  await opened.onEach(
    `create table dim (s50k ${low}, cat20 ${low}) engine = MergeTree order by s50k`,
  );
  await opened.onEach(
    `insert into dim format JSONCompactEachRow ${dimension.map((row) => JSON.stringify(row)).join("\n")}`,
  );
  print(
    `\n  ${rowCount} rows, ${opened.servers.length} server(s); medians of ${rounds} turns in milliseconds`,
  );
  // Merges of the pushed rows use processor time on both sides.
  while (await merging()) await sleep(1000);
  print("  query          host  by hand   ratio       host cpu  by hand cpu   ratio");
  const [byClock, byProcessor]: [number[], number[]] = [[], []];
  for (const question of createQueries()) {
    const { name, plan, clickhouse } = question;
    const query = storeQuery(plan);
    if (!query || !clickhouse) {
      print(`  ${name.padEnd(9)} exact, like the query before`);
      continue;
    }
    const find = apiQuery(query, dataset, joined);
    // The API returns the first rows in some order, so the specialist's statement requests the same rows.
    const statement =
      name === "Q11" ? clickhouse.replace(" LIMIT", ` ${firstRows} LIMIT`) : clickhouse;
    const sql = statement.replace(/ FROM f\b/, " FROM own").replaceAll(/\bf\./g, "own.");
    const [own, byHand]: [Turn[], Turn[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      const mine = await timed(
        async () => (await sendCall("get", { find: { queries: [find] } })).data ?? [],
      );
      const hand = await timed(async () => {
        const answer = await client.query({ query: sql, format: "JSONCompactEachRow" });
        return answer.json<unknown[]>();
      });
      refuseDifference(question, mine.result, hand.result);
      // The first turn warms up both sides.
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
    atLeast("pushes, relative to inserts by the client", rate, 0.8),
    atMost("queries relative to a specialist's, geometric mean, time", meanOf(byClock), 1.15),
    atMost("queries relative to a specialist's, processor time", meanOf(byProcessor), 1.15),
  ]);
} finally {
  await client.close();
  await host.end("SIGTERM");
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
}

interface Answer {
  readonly data?: readonly (readonly unknown[])[];
  readonly rows?: readonly { readonly id: string }[];
}

interface Found {
  readonly rows: readonly {
    readonly columns: readonly { readonly id: string; readonly source_name: string }[];
  }[];
}

interface Turn {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Converts datetimes to the format that ClickHouse's client expects. */
function clientRow(row: readonly Cell[]): readonly Cell[] {
  return row.map((cell, index) =>
    storeColumns[index]?.type === "datetime" && typeof cell === "string"
      ? cell.slice(0, -1).replace("T", " ")
      : cell,
  );
}

/**
 * Compares the cells of both sides.
 * @throws {Error} if the cells differ
 */
function refuseDifference(
  { name, keyCount }: Pick<BenchQuery, "name" | "keyCount">,
  ours: readonly (readonly unknown[])[],
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

/**
 * Parses a cell. The host's datetimes have a time zone. ClickHouse's dates and datetimes are in UTC. Numbers may be
 * strings.
 */
function valueOf(text: string): unknown {
  if (/^\d{4}-\d\d-\d\d/.test(text))
    return Date.parse(/Z$|^.{10}$/.test(text) ? text : `${text.replace(" ", "T")}Z`);
  return /^\d+$/.test(text) ? Number(text) : text;
}
