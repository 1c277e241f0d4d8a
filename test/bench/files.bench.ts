/**
 * How fast do files become stored columns? DuckDB writes the same rows as CSV and Parquet. A host serves the
 * files connector; the bench creates an account, a dataset and an acceleration over HTTP, and waits until the copy is
 * ready. In turns with the host, DuckDB creates a table from the same file, with two threads. Answers are compared
 * before times. `--rows n` is the number of rows (default 1,500,000; 200 MB of CSV), and `--repeats n` the number of
 * rounds (default 3). `--only files:csv` measures one format. A reader queries a small dataset meanwhile, to see how
 * long other callers wait.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { startHostProcess } from "../support/hostProcess.ts";
import { processorTime } from "./processorTime.ts";
import { quantile } from "./spread.ts";

const { values } = parseArgs({
  options: { rows: { type: "string" }, repeats: { type: "string" }, only: { type: "string" } },
  strict: false,
});
const rowCount = Number(values["rows"] ?? 1_500_000);
const roundCount = Number(values["repeats"] ?? 3);
const part = String(values["only"] ?? "").split(":")[1];
const print = (line: string) => process.stdout.write(`${line}\n`);

const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-bench-files-")));
mkdirSync(join(folder, "data"));
const pathOf = (format: string) => join(folder, "data", `facts.${format}`);
const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
const duckdb = await instance.connect();
await duckdb.run(`create table facts as select
  n as id,
  'region_' || (n * 7919 % 5) as region,
  'shop ' || (n * 104729 % 1000) as shop,
  case when n % 7 = 0 then 'Item "' || (n * 15485863 % 50000) || '", blue'
       else 'item ' || (n * 15485863 % 50000) end as item,
  'https://example.com/path/' || (hash(n) % 1000000) as url,
  (n * 31 % 1000)::int as pieces,
  round((n * 17 % 100000) / 100.0, 2)::decimal(12, 2) as price,
  sqrt(n)::double as weight,
  case when n % 50 = 0 then null else (n % 977)::int end as score,
  timestamp '2020-01-01' + to_seconds(7 * n) as at,
  date '2020-01-01' + (n % 1500)::int as day
from range(1, ${rowCount + 1}) r(n)`);
await duckdb.run(`copy facts to '${pathOf("csv")}' (format csv, header)`);
await duckdb.run(`copy facts to '${pathOf("parquet")}' (format parquet)`);

interface Made {
  readonly data: readonly {
    readonly id: string;
    readonly columns: readonly { readonly id: string; readonly source_name: string }[];
  }[];
}

const host = await startHostProcess(join(folder, "store"), {
  MANIFOLD_FILE_FOLDERS: folder,
  MANIFOLD_CACHE_MB: "0",
});
try {
  const { client } = host;
  const account = await client.create<{ id: string }>("account", {
    provider: "files",
    name: "data",
    host: "data",
  });
  const small = await client.create<{ rows: readonly { id: string; columns: { id: string }[] }[] }>(
    "data",
    { type: "create", data: Array.from({ length: 1000 }, (_, row) => [row % 7, row]) },
  );
  const [read] = small.rows;
  const smallQuery = {
    dimensions: [{ dataset_id: read!.id, column_id: read!.columns[0]!.id }],
    measures: [
      { dataset_id: read!.id, column_id: read!.columns[1]!.id, aggregation: { type: "sum" } },
    ],
  };
  const waits = async (until: () => boolean): Promise<number[]> => {
    const durations: number[] = [];
    while (!until()) {
      const startedAt = performance.now();
      await client.get<unknown>("data", smallQuery);
      durations.push(performance.now() - startedAt);
      await pause(20);
    }
    return durations;
  };
  const load = async (format: string) => {
    const { data } = await client.create<Made>("dataprovider", {
      provider: "files",
      account_id: account.id,
      tables: [{ schema: "main", table: `facts.${format}` }],
    });
    const dataset = data[0]!;
    const acceleration = await client.create<{ id: string }>("acceleration", { load_type: "full" });
    const before = processorTime(host.pid);
    const startedAt = performance.now();
    let isDone = false;
    const waiting = waits(() => isDone);
    await client.associate("securable", dataset.id, { role: "Acceleration", id: acceleration.id });
    for (;;) {
      const copy = (await client.get("datasetcopy", { where: { securable_id: dataset.id } }))
        .rows[0];
      if (copy?.["status"] === "failed") throw new Error(String(copy["failure"]));
      if (copy?.["status"] === "ready") break;
      await pause(20);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const usedS = (processorTime(host.pid) - before) / 1000;
    isDone = true;
    return { dataset, seconds, usedS, waits: await waiting };
  };
  const answer = async (dataset: Made["data"][number]) => {
    const of = (name: string) => ({
      dataset_id: dataset.id,
      column_id: dataset.columns.find((column) => column.source_name === name)?.id,
    });
    const sum = (name: string) => ({ ...of(name), aggregation: { type: "sum" } });
    const distinct = (name: string) => ({ ...of(name), aggregation: { type: "distinctcount" } });
    const { data } = await client.get<{ data: readonly (readonly unknown[])[] }>("data", {
      measures: [
        { dataset_id: dataset.id, column_id: "*", aggregation: { type: "count" } },
        ...["pieces", "price", "weight", "score"].map(sum),
        ...["region", "shop", "item", "url", "at", "day"].map(distinct),
      ],
      options: { cells: "plain" },
    });
    return data[0]!.map(Number);
  };
  const expected = (
    await duckdb.runAndReadAll(`select count(*), sum(pieces), sum(price), sum(weight), sum(score),
      count(distinct region), count(distinct shop), count(distinct item), count(distinct url),
      count(distinct "at"), count(distinct day) from facts`)
  )
    .getRowsJson()[0]!
    .map(Number);
  for (const format of ["csv", "parquet"].filter((each) => part === undefined || part === each)) {
    const sizeMb = statSync(pathOf(format)).size / 1e6;
    const own: number[] = [];
    const used: number[] = [];
    const peer: number[] = [];
    const peerUsed: number[] = [];
    const waited: number[] = [];
    for (let round = 0; round < roundCount; round++) {
      const loaded = await load(format);
      const found = await answer(loaded.dataset);
      if (found.some((value, index) => Math.abs(value - expected[index]!) > 1e-9 * value))
        throw new Error(`${format}: the copy has ${found.join()}, DuckDB ${expected.join()}`);
      own.push(loaded.seconds);
      used.push(loaded.usedS);
      waited.push(...loaded.waits);
      await client.delete("securable", loaded.dataset.id);
      const before = process.cpuUsage();
      const startedAt = performance.now();
      await duckdb.run(`create table peer as select * from read_${format}('${pathOf(format)}')`);
      peer.push((performance.now() - startedAt) / 1000);
      const { user, system } = process.cpuUsage(before);
      peerUsed.push((user + system) / 1e6);
      await duckdb.run("drop table peer");
    }
    const least = (measured: readonly number[]) => Math.min(...measured);
    print(
      `  ${format.padEnd(8)} ${sizeMb.toFixed(0)} MB, ${rowCount} rows: ${least(own).toFixed(2)} s ` +
        `(${(sizeMb / least(own)).toFixed(0)} MB/s), processor ${least(used).toFixed(2)} s; ` +
        `DuckDB ${least(peer).toFixed(2)} s, processor ${least(peerUsed).toFixed(2)} s`,
    );
    print(
      `           rate relative to DuckDB: ${(least(peer) / least(own)).toFixed(2)} by the clock, ` +
        `${(least(peerUsed) / least(used)).toFixed(2)} by processor time; ` +
        `other callers p50 ${quantile(waited, 0.5).toFixed(1)} ms, p99 ${quantile(waited, 0.99).toFixed(1)} ms`,
    );
  }
} finally {
  await host.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
