/**
 * What does ClickHouse as the store cost beside ClickHouse alone? Pushes through the store, beside inserts of the
 * server's own client into a table that syncs as well; dashboard questions through the store's plugin, beside the
 * statement that a specialist writes for a table with narrow types. One server, on this machine. Both sides take turns,
 * and answers are compared before a time counts. Another process disturbs the times; ratios of turns suffer least.
 * `SCALE_ROWS` is the number of rows.
 */
import { createClient } from "@clickhouse/client";
import { rowsOfBatch, type Batch, type Cell, type Query } from "../../plugins/protocol/index.ts";
import { openClickhouseStore } from "../support/clickhouseStore.ts";
import { isClose } from "../support/isClose.ts";
import { shownSpread, spreadOf } from "./spread.ts";

const rowCount = Number(process.env["SCALE_ROWS"] ?? 5_000_000);
const rowsAPush = 200_000;
const rounds = 9;
const call = { credentials: { properties: {} }, signal: new AbortController().signal };
const print = (line: string) => process.stdout.write(`${line}\n`);
const holds = (isHeld: boolean) => (isHeld ? "holds" : "does not hold");

const words = Array.from({ length: 300 }, (_, index) => `airport ${index}`);
const startMs = Date.UTC(2001, 0, 1);
const columns = [
  { id: "distance", type: "numeric" },
  { id: "delay", type: "numeric" },
  { id: "at", type: "datetime" },
  { id: "origin", type: "hierarchy" },
  { id: "carrier", type: "hierarchy" },
] as const;

/** The cells of a row, which both sides are given. */
function rowOf(index: number): readonly [number, number | null, number, number, number] {
  const delay = index % 11 === 0 ? null : ((index * 7919) % 400) - 60;
  return [(index * 104_729) % 2500, delay, startMs + index * 6000, (index * 31) % 300, index % 9];
}

function batchOf(from: number): Batch {
  const rows = Array.from({ length: rowsAPush }, (_, index) => rowOf(from + index));
  const numbers = (place: 0 | 1 | 2) => Float64Array.from(rows, (row) => row[place] ?? NaN);
  const codes = (place: 3 | 4) => Int32Array.from(rows, (row) => row[place]);
  return {
    rowCount: rowsAPush,
    columns: [
      { type: "numeric", values: numbers(0) },
      { type: "numeric", values: numbers(1) },
      { type: "datetime", values: numbers(2) },
      { type: "hierarchy", codes: codes(3), dictionary: words },
      { type: "hierarchy", codes: codes(4), dictionary: words },
    ],
  };
}

const key = (column_id: string) => ({ column_id });
const of = (column_id: string, aggregation: "sum" | "average" | "count" | "distinctcount") => ({
  column_id,
  aggregation,
});
const questions: Readonly<
  Record<string, { readonly query: Pick<Query, "columns"> & Partial<Query>; readonly sql: string }>
> = {
  "count of rows": { query: { columns: [of("*", "count")] }, sql: "select count() from own" },
  "sum by carrier": {
    query: { columns: [key("carrier"), of("distance", "sum")] },
    sql: "select carrier, sum(distance) from own group by carrier",
  },
  "average delay by origin": {
    query: { columns: [key("origin"), of("delay", "average")] },
    sql: "select origin, avg(delay) from own group by origin",
  },
  "rows by month": {
    query: { columns: [{ column_id: "at", level: "month" }, of("*", "count")] },
    sql: "select toUnixTimestamp(toStartOfMonth(at)) * 1000 as m, count() from own group by m",
  },
  "long delays of one origin by carrier": {
    query: {
      columns: [key("carrier"), of("*", "count")],
      filters: [
        { column_id: "origin", expression: "=", value: ["airport 17"] },
        { column_id: "delay", expression: ">", value: [120] },
      ],
    },
    sql: "select carrier, count() from own where origin = 'airport 17' and delay > 120 group by carrier",
  },
};

const store = await openClickhouseStore();
const url = new URL(store.settings.clickhouseUrl);
const client = createClient({
  url: `http://${url.host}`,
  username: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database: store.settings.clickhouseDatabase,
});
const synced = "settings fsync_after_insert = 1, fsync_part_directory = 1";
const timed = async <Result>(run: () => Promise<Result>) => {
  const start = performance.now();
  const result = await run();
  return { ms: performance.now() - start, result };
};

try {
  await store.plugin.write?.({ ...call, write: { action: "create", id: "ours", columns } });
  await client.command({
    query: `create table pushed (distance Nullable(Float64), delay Nullable(Float64), at Nullable(Int64),
      origin LowCardinality(Nullable(String)), carrier LowCardinality(Nullable(String)))
      engine = MergeTree order by tuple() ${synced}`,
  });
  const columnIds = columns.map(({ id }) => id);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let from = 0; from < rowCount; from += rowsAPush) {
    const batch = batchOf(from);
    const rows = { columnIds, batch };
    const push = await timed(async () =>
      store.plugin.write?.({ ...call, write: { action: "append", id: "ours", rows } }),
    );
    ours.push(push.ms);
    if (theirs.length >= rounds) continue;
    const values = Array.from({ length: rowsAPush }, (_, index) => {
      const [distance, delay, at, origin, carrier] = rowOf(from + index);
      return [distance, delay, at, words[origin], words[carrier]];
    });
    const insert = await timed(() =>
      client.insert({ table: "pushed", values, format: "JSONCompactEachRow" }),
    );
    theirs.push(insert.ms);
  }
  print(`  pushes of ${rowsAPush} rows, milliseconds                median       min       max`);
  print(`  ${"through the store".padEnd(46)} ${shownSpread(spreadOf(ours))}`);
  print(`  ${"the client, JSONCompactEachRow".padEnd(46)} ${shownSpread(spreadOf(theirs))}`);
  const rate = spreadOf(theirs).median / spreadOf(ours).median;
  print(`    ${holds(rate >= 0.8)}: ${rate.toFixed(2)} of the client's rate, 0.8 wanted`);

  await client.command({
    query: `create table own (distance Int32, delay Nullable(Int16), at DateTime('UTC'),
      origin LowCardinality(String), carrier LowCardinality(String)) engine = MergeTree order by at`,
  });
  await client.command({
    query: "insert into own select distance, delay, intDiv(at, 1000), origin, carrier from ours",
  });
  print(`\n  questions over ${rowCount} rows, milliseconds       median       min       max`);
  const ratios: number[] = [];
  for (const [title, { query, sql }] of Object.entries(questions)) {
    const asked = { id: "ours", filters: [], options: { pushdown: true }, ...query };
    const [own, byHand]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const mine = await timed(async () =>
        rowsOfBatch(await store.plugin.query({ ...call, query: asked })),
      );
      const hand = await timed(async () => {
        const answer = await client.query({ query: sql, format: "JSONCompactEachRow" });
        return answer.json<unknown[]>();
      });
      refuseDifference(title, mine.result, hand.result);
      own.push(mine.ms);
      byHand.push(hand.ms);
    }
    const ratio = spreadOf(own).median / spreadOf(byHand).median;
    ratios.push(ratio);
    print(`  ${title.padEnd(46)} ${shownSpread(spreadOf(own))}`);
    print(`  ${"  the specialist's statement".padEnd(46)} ${shownSpread(spreadOf(byHand))}`);
    print(`    ${holds(ratio <= 1.15)}: ${ratio.toFixed(2)} times, 1.15 wanted`);
  }
  const mean = Math.exp(ratios.reduce((sum, each) => sum + Math.log(each), 0) / ratios.length);
  print(`  geometric mean ${mean.toFixed(2)}: ${holds(mean <= 1.15)}`);
} finally {
  await client.close();
  await store.close();
}

/** @throws {Error} when the two sides answer other cells */
function refuseDifference(
  title: string,
  ours: readonly (readonly Cell[])[],
  theirs: readonly (readonly unknown[])[],
): void {
  const bag = (rows: readonly (readonly unknown[])[]) =>
    rows
      .map((row) => row.map((cell) => (typeof cell === "string" ? valueOf(cell) : cell)))
      .toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1));
  const [mine, hand] = [bag(ours), bag(theirs)];
  const isSame =
    mine.length === hand.length &&
    mine.every((row, index) =>
      row.every((cell, place) => {
        const other = hand[index]?.[place];
        return typeof cell === "number" ? isClose(cell, Number(other)) : cell === other;
      }),
    );
  if (!isSame) throw new Error(`${title}: the two sides differ`);
}

/** Instants of our answers are texts; numbers of theirs may be. */
function valueOf(text: string): unknown {
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return Date.parse(text);
  return /^\d+$/.test(text) ? Number(text) : text;
}
