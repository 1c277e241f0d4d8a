/**
 * How fast do uploaded files become datasets? DuckDB writes the same rows as CSV and Parquet, and XLSX is written as
 * Excel does. Each file is uploaded through HTTP, by the typed client. In turns with the host, DuckDB creates a table
 * from the same file, with two threads; XLSX is read by openpyxl in its read-only mode, if Python has it. `--rows n` is
 * the number of rows (default 7,500,000; 1 GB of CSV), and XLSX has at most 1,000,000 of them (90 MB). `--only
 * imports:csv` measures one format. A reader queries a small dataset before and meanwhile, to see how much longer other
 * callers wait. Resident memory is that of the host and its readers together, beyond the memory that the store keeps
 * afterwards.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, openAsBlob, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { startHostProcess } from "../support/hostProcess.ts";
import { processorTime } from "./processorTime.ts";
import { quantile } from "./spread.ts";
import { writeLargeWorkbook } from "./writeLargeWorkbook.ts";

const { values } = parseArgs({
  options: { rows: { type: "string" }, only: { type: "string" } },
  strict: false,
});
const rowCount = Number(values["rows"] ?? 7_500_000);
const sheetRowCount = Math.min(rowCount, 1_000_000);
const part = String(values["only"] ?? "").split(":")[1];
const print = (line: string) => process.stdout.write(`${line}\n`);

const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-bench-imports-")));
const pathOf = (format: string) => join(folder, `facts.${format}`);
const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
const duckdb = await instance.connect();
const rowsOf = (count: number) => `select
  n as id,
  'region_' || (n * 7919 % 5) as region,
  'shop ' || (n * 104729 % 1000) as shop,
  case when n % 7 = 0 then 'Item "' || (n * 15485863 % 50000) || '", blue'
       else 'item ' || (n * 15485863 % 50000) end as item,
  'https://example.com/path/' || (hash(n) % 1000000) as url,
  (n * 31 % 1000)::int as pieces,
  round((n * 17 % 100000) / 100.0, 2)::double as price,
  sqrt(n)::double as weight,
  case when n % 50 = 0 then null else (n % 977)::int end as score,
  timestamp '2020-01-01' + to_seconds(7 * n) as at,
  date '2020-01-01' + (n % 1500)::int as day
from range(1, ${count + 1}) r(n)`;

/** How a format is written, and how a peer reads it into memory. Returns undefined if the peer is missing. */
const formats = {
  csv: {
    count: rowCount,
    write: () =>
      duckdb.run(`copy (${rowsOf(rowCount)}) to '${pathOf("csv")}' (format csv, header)`),
    peer: () => readWithDuckdb(`from read_csv('${pathOf("csv")}')`),
  },
  parquet: {
    count: rowCount,
    write: () =>
      duckdb.run(`copy (${rowsOf(rowCount)}) to '${pathOf("parquet")}' (format parquet)`),
    peer: () => readWithDuckdb(`from '${pathOf("parquet")}'`),
  },
  xlsx: {
    count: sheetRowCount,
    write: () => writeLargeWorkbook(pathOf("xlsx"), sheetRowCount),
    peer: async () => {
      const script = `import openpyxl
for row in openpyxl.load_workbook(${JSON.stringify(pathOf("xlsx"))}, read_only=True).active.iter_rows(values_only=True): pass`;
      // A Python that was built from source does not see the packages of the distribution.
      return ["python3", "/usr/bin/python3"].some(
        (python) => spawnSync(python, ["-c", script]).status === 0,
      );
    },
  },
} as const;

async function readWithDuckdb(source: string): Promise<boolean> {
  await duckdb.run(`create or replace table peer as ${source}`);
  await duckdb.run("drop table peer");
  return true;
}

/** Returns the resident bytes of a process and its children. Shared memory of the store counts as well. */
function residentBytes(pid: number): number {
  const read = (path: string): string => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  };
  const own = Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
  const children = read(`/proc/${pid}/task/${pid}/children`).trim().split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + residentBytes(Number(child)), own);
}

const host = await startHostProcess(join(folder, "store"), { MANIFOLD_CACHE_MB: "0" });
try {
  const { client } = host;
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
  for (const [name, { count, write, peer }] of Object.entries(formats)) {
    if (part !== undefined && part !== name) continue;
    try {
      await write();
    } catch (failure) {
      print(`${name}: not measured, because DuckDB cannot write it: ${String(failure)}`);
      continue;
    }
    const sizeMb = statSync(pathOf(name)).size / 1e6;
    const before = { processorMs: processorTime(host.pid), bytes: residentBytes(host.pid) };
    let peakBytes = 0;
    let isDone = false;
    const watching = (async () => {
      while (!isDone) {
        peakBytes = Math.max(peakBytes, residentBytes(host.pid));
        await pause(50);
      }
    })();
    const waitOnce = async (into: number[]) => {
      const begunAt = performance.now();
      await client.get<unknown>("data", smallQuery);
      into.push(performance.now() - begunAt);
      await pause(20);
    };
    const quiet: number[] = [];
    for (let call = 0; call < 200; call++) await waitOnce(quiet);
    const waits: number[] = [];
    const waiting = (async () => {
      while (!isDone) await waitOnce(waits);
    })();
    const startedAt = performance.now();
    const file = await openAsBlob(pathOf(name));
    const { rows } = await client.upload(file, { fileName: `facts.${name}` });
    const seconds = (performance.now() - startedAt) / 1000;
    isDone = true;
    await Promise.all([watching, waiting]);
    const stored = rows[0]!;
    if (Number(stored.rows) !== count)
      throw new Error(`${name}: ${stored.rows} rows, not ${count}`);
    const usedS = (processorTime(host.pid) - before.processorMs) / 1000;
    await pause(2000);
    const keptBytes = residentBytes(host.pid);
    const peerAt = performance.now();
    const hasPeer = await peer();
    const peerS = (performance.now() - peerAt) / 1000;
    const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
    print(
      `${name}: ${Math.round(sizeMb)} MB, ${count} rows: ${seconds.toFixed(1)} s (${Math.round(sizeMb / seconds)} MB/s, ` +
        `${usedS.toFixed(1)} s of the host's processor time); ` +
        `peer ${hasPeer ? `${peerS.toFixed(1)} s, ${(peerS / seconds).toFixed(2)} times ours` : "missing"}; ` +
        `resident ${mib(before.bytes)} MiB before, ${mib(peakBytes)} at most, ${mib(keptBytes)} after; ` +
        `other callers p50 ${quantile(waits, 0.5).toFixed(0)} ms, p99 ${quantile(waits, 0.99).toFixed(0)} ms, ` +
        `${(quantile(waits, 0.99) / quantile(quiet, 0.99)).toFixed(1)} times the quiet p99`,
    );
    rmSync(pathOf(name));
  }
} finally {
  await host.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}
