/**
 * What does the whole path from HTTP to HTTP cost on three million real flights? The bench measures pushes, queries,
 * memory and start-up. The same queries also run in this process on DuckDB (in memory, strings as ENUM, the same number
 * of threads) and in a plain JavaScript loop over row arrays. Neither of these pays for HTTP, JSON, planning or access
 * checks. The host does not cache answers here. The figures are wrong when another process runs or the system's page
 * cache is cold.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { flightCount, header, readFlights } from "../../examples/support/flights.ts";
import { flightQuestions } from "../../examples/demo/questions.ts";
import { columnsOf } from "../../examples/support/columnsOf.ts";
import { startHostProcess } from "../support/hostProcess.ts";
import { atMost, reportBars } from "./bars.ts";
import { shownSpread, spreadOf, timed } from "./spread.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);
const row = (name: string, figures: string) => print(`  ${name.padEnd(52)} ${figures}`);
const memoryMib = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
const peakMib = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

const sql = [
  `SELECT date_trunc('month', date) m, avg(delay), count(*) FROM flights GROUP BY m ORDER BY m`,
  `SELECT origin, avg(delay) a, count(*) c FROM flights GROUP BY origin HAVING c > 1000 ORDER BY a DESC LIMIT 10`,
  `SELECT hour, count(*), avg(delay) FROM flights WHERE origin = 'SFO' AND destination = 'LAX' GROUP BY hour ORDER BY hour`,
  `SELECT origin, count(DISTINCT destination) d FROM flights GROUP BY origin ORDER BY d DESC, origin LIMIT 10`,
];

type Row = [
  date: string,
  hour: number,
  delay: number,
  distance: number,
  origin: string,
  destination: string,
];

/** Answers a query in the naive way: with one pass over row arrays and a Map of groups. */
function naive(rows: readonly Row[], question: number): unknown[][] {
  const groups = new Map<string | number, { count: number; sum: number; set: Set<string> }>();
  for (const [date, hour, delay, , origin, destination] of rows) {
    if (question === 2 && (origin !== "SFO" || destination !== "LAX")) continue;
    const key = question === 0 ? date.slice(0, 7) : question === 2 ? hour : origin;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { count: 0, sum: 0, set: new Set() }));
    group.count++;
    group.sum += delay;
    if (question === 3) group.set.add(destination);
  }
  return [...groups].map(([key, { count, sum, set }]) => [key, count, sum / count, set.size]);
}

const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
let host = await startHostProcess(dataDir, { MANIFOLD_CACHE_MB: "0" });
try {
  const { client } = host;
  const all: Row[] = [];
  const durations: number[] = [];
  let id = "";
  let pushMs = 0;
  for await (const data of readFlights(0, 10_000)) {
    all.push(...(data as Row[]));
    const startedAt = performance.now();
    if (id) await client.create("data", { type: "append", securable_id: id, data });
    else {
      const options = { header, name: { en: "Flights" } };
      id = (
        await client.create<{ rows: { id: string }[] }>("data", { type: "create", data, options })
      ).rows[0]!.id;
    }
    durations.push(performance.now() - startedAt);
    pushMs += performance.now() - startedAt;
  }
  print("  milliseconds                                            median       min       max");
  row("push of 10,000 rows x 6 columns, acknowledged", shownSpread(spreadOf(durations)));
  row("all 3,000,000 rows, seconds spent pushing", (pushMs / 1000).toFixed(1).padStart(9));
  row(
    "resident memory of the host, MiB (peak)",
    `${memoryMib(host.pid).toFixed(0).padStart(9)} (${peakMib(host.pid).toFixed(0)})`,
  );

  const five = Array.from({ length: 12 }, () =>
    all.slice(0, 10_000).map((each) => [each[0], each[2], each[3], each[4], each[5]]),
  );
  const fiveDurations: number[] = [];
  let fiveId = "";
  for (const data of five) {
    const startedAt = performance.now();
    const options = {
      header: ["date", "delay", "distance", "origin", "destination"],
      name: { en: "Five" },
    };
    const properties = fiveId
      ? { type: "append", securable_id: fiveId, data }
      : { type: "create", data, options };
    fiveId = (await client.create<{ rows: { id: string }[] }>("data", properties)).rows[0]!.id;
    fiveDurations.push(performance.now() - startedAt);
  }
  row(
    "push of 10,000 rows x 5 columns, acknowledged",
    shownSpread(spreadOf(fiveDurations.slice(1))),
  );

  const duck = await (
    await DuckDBInstance.create(":memory:", { threads: String(availableParallelism()) })
  ).connect();
  const parquet = fileURLToPath(
    new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")),
  );
  for (const column of ["origin", "destination"])
    await duck.run(
      `CREATE TYPE ${column}_names AS ENUM (SELECT DISTINCT ${column} FROM '${parquet}' ORDER BY 1)`,
    );
  await duck.run(
    `CREATE TABLE flights AS SELECT date, hour(date) AS hour, delay::DOUBLE AS delay, distance::DOUBLE AS distance, origin::origin_names AS origin, destination::destination_names AS destination FROM '${parquet}'`,
  );

  const questions = flightQuestions(id, await columnsOf(client, id));
  const firstQuestion = { queries: [questions[0]!.query] };
  for (const [index, { title, query }] of questions.entries()) {
    const runQuery = () =>
      client.get<{ data: (number | string | { id: string })[][] }>("data", { queries: [query] });
    const queryDuck = async () => (await duck.runAndReadAll(sql[index]!)).getRowsJson();
    const ours = (await runQuery()).data.map((cells) =>
      cells.map((cell) => (typeof cell === "object" ? cell.id : cell)),
    );
    const theirs = await queryDuck();
    compare(title, ours, theirs);
    print("");
    row(title, shownSpread(await timed(runQuery)));
    row("  DuckDB, in process", shownSpread(await timed(queryDuck)));
    row(
      "  a plain loop, in process",
      shownSpread(await timed(async () => naive(all, index), { warmUps: 1, runs: 3 })),
    );
  }
  if (all.length !== flightCount) throw new Error(`${all.length} rows`);
  row("resident memory after the queries, MiB", memoryMib(host.pid).toFixed(0).padStart(9));

  await host.end("SIGTERM");
  const startedAt = performance.now();
  host = await startHostProcess(dataDir, { MANIFOLD_CACHE_MB: "0" });
  print("");
  row(
    "start with the flights loaded, until it listens",
    (performance.now() - startedAt).toFixed(0).padStart(9),
  );
  await host.client.get("data", firstQuestion);
  const answeredMs = performance.now() - startedAt;
  row("start to the first answer", answeredMs.toFixed(0).padStart(9));
  row("resident memory after that start, MiB", memoryMib(host.pid).toFixed(0).padStart(9));
  reportBars([atMost("start to the first answer", answeredMs, 1500, "ms")]);
} finally {
  await host.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}

/** Compares the answers of both sides, before any time is counted. */
function compare(title: string, ours: readonly unknown[][], theirs: readonly unknown[][]): void {
  const text = (cell: unknown) =>
    typeof cell === "number" || (typeof cell === "string" && /^-?\d+(\.\d+)?$/.test(cell))
      ? Number(cell).toPrecision(10)
      : String(cell).slice(0, 7);
  const one = ours.map((cells) => cells.map(text).join("|"));
  const other = theirs.map((cells) => cells.map(text).join("|"));
  if (one.join("\n") !== other.join("\n"))
    throw new Error(
      `the answers to "${title}" differ:\n${one.slice(0, 5).join("\n")}\n---\n${other.slice(0, 5).join("\n")}`,
    );
}
