/**
 * How fast is the store compared with DuckDB, ClickHouse and Polars? All systems run the same queries over the same
 * generated table with two threads each. Each system runs in a separate process, and all take turns within one run. The
 * bench compares the answers before it counts any time. No part of the store is left out: it is durable, and uses its
 * planner, its checks and a security filter. The peers apply the same filter. The figures are wrong when another
 * process runs, or when the memory is too small for all systems at once (24 GiB suffice for up to 10 million rows).
 * Options: `--rows 1m|10m|50m|100m --seed n --repeats n --json file --only strata:part,Q5`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { showBar, type Bar } from "./bars.ts";
import { inProcess } from "./strata/inProcess.ts";
import { installPeers } from "./strata/installPeers.ts";
import { measureCallers } from "./strata/measureCallers.ts";
import { measureCold } from "./strata/measureCold.ts";
import { measureGroups } from "./strata/measureGroups.ts";
import { measureFirstTime } from "./strata/measureFirstTime.ts";
import { measureIngest } from "./strata/measureIngest.ts";
import { measureMemory } from "./strata/measureMemory.ts";
import { measureQueries, type MeasuredQuery } from "./strata/measureQueries.ts";
import { parseOptions, type Part } from "./strata/options.ts";
import { createQueries } from "./strata/queries.ts";
import type { BenchQuery } from "./strata/benchQuery.ts";
import { drawQueries } from "./strata/randomQueries.ts";
import { isDuckdb } from "./strata/report.ts";
import { reportGrowth } from "./strata/reportGrowth.ts";
import { reportQueries, reportRandom, showMeasured } from "./strata/reportQueries.ts";
import { startProcess, type BenchProcess } from "./strata/startProcess.ts";
import { systemNames, type SystemName } from "./strata/systems/system.ts";
import { writeParquet } from "./strata/writeParquet.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);
const options = parseOptions(process.argv.slice(2));
const { rowCount, seed, parts } = options;
const million = rowCount / 1e6;
const dir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
/** Number of rows in the small table. The growth of query times is measured from this table to the large table. */
const smallRowCount = 1_000_000;
const processes = new Map<SystemName, BenchProcess>();
const bars: Bar[] = [];
const figures: Record<string, unknown> = {
  node: process.version,
  machine: {
    processor: cpus()[0]?.model,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  },
  commit: commitOf(),
  options: { ...options, parts: [...parts] },
};

try {
  print(
    `  commit ${commitOf()}, ${million} million rows, seed ${seed}, ${options.repeats} repeats`,
  );
  const bandwidth = await attempt("bandwidth", async () => {
    const found = await inProcess((child) => child.run("bandwidth"));
    print("\n  reading memory            GB/s, one thread   two threads");
    for (const { sizeBytes, one, two } of found)
      print(
        `  ${`${sizeBytes / 2 ** 20} MiB`.padEnd(22)}${(one / 1e9).toFixed(1).padStart(20)}${(two / 1e9).toFixed(1).padStart(14)}`,
      );
    return { report: found, bars: [] };
  });
  const isChosen = ({ name }: BenchQuery) =>
    options.queries.length === 0 || options.queries.includes(name);
  const queries = createQueries().filter(isChosen);
  const measure = async (
    systems: ReadonlyMap<SystemName, BenchProcess>,
    selected: readonly BenchQuery[],
    warmUps = 2,
  ) => {
    const { repeats } = options;
    const measured = await inProcess((reader) =>
      measureQueries(systems, selected, { warmUps, repeats, reader }, (each) =>
        print(showMeasured(each)),
      ),
    );
    if (measured.some(({ systems: all }) => all.get("strata")?.refusal)) process.exitCode = 1;
    return measured;
  };
  const tellsGrowth = parts.has("growth") && parts.has("queries") && rowCount > smallRowCount;
  let small: readonly MeasuredQuery[] = [];
  if (tellsGrowth) {
    await openAll(["strata", "duckdb-file"], smallRowCount);
    print("\n  medians in milliseconds on 1 million rows, as they are measured");
    // Compiles the code first, because slow first runs would distort the growth.
    small = await measure(processes, queries, 20);
    await endAll();
  }
  const needsTable = (["queries", "random", "callers", "cold", "memory"] as const).some((part) =>
    parts.has(part),
  );
  if (needsTable) {
    await openAll(await chooseSystems(), rowCount);
    let measured: readonly MeasuredQuery[] = [];
    if (parts.has("queries")) {
      print("\n  medians in milliseconds, as they are measured");
      measured = await measure(processes, queries);
    }
    await attempt("growth", async () => {
      if (!tellsGrowth) return { report: "not told", bars: [] };
      return reportGrowth({
        small,
        large: measured,
        rowCounts: [smallRowCount, rowCount],
        print,
      });
    });
    await attempt("random", async () => {
      print("\n  30 random queries from the plan grammar");
      const isCompared = (name: SystemName) => name === "strata" || isDuckdb(name);
      const systems = new Map([...processes].filter(([name]) => isCompared(name)));
      const drawn = await measure(systems, drawQueries(seed, 30));
      return { report: reportRandom(drawn, print), bars: [] };
    });
    await attempt("callers", () => measureCallers(processes, seed, print));
    await endAll();
    const sizes = await attempt("memory", () =>
      measureMemory(folderOf("strata", rowCount), rowCount, print),
    );
    await attempt("cold", () => {
      if (!sizes) throw new Error("the part memory measures how many bytes a query reads");
      const { repeats } = options;
      const { columns } = sizes;
      return measureCold({
        dir: folderOf("strata", rowCount),
        rowCount,
        sizes: columns,
        repeats,
        print,
      });
    });
    if (measured.length > 0) {
      const { columns } = sizes ?? {};
      const request = { measured, rowCount, sizes: columns, bandwidth, print };
      const { report, bars: own } = reportQueries(request);
      figures["queries"] = report;
      bars.unshift(...own);
    }
  }
  await attempt("groups", () =>
    measureGroups({ dir: join(dir, "groups"), rowCount, seed, repeats: options.repeats, print }),
  );
  await attempt("first", () => measureFirstTime(join(dir, "first"), seed, print));
  await attempt("ingest", () => measureIngest(join(dir, "ingest"), seed, print));
  print("\n  promises");
  for (const bar of bars) print(showBar(bar));
  figures["bars"] = bars;
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, undefined, 1)}\n`);
} finally {
  await endAll();
  rmSync(dir, { recursive: true, force: true });
}

/** Measures a requested part. If it fails, the failure is reported and the other parts still run. */
async function attempt<Report>(
  part: Part,
  measure: () => Promise<{ readonly report: Report; readonly bars: readonly Bar[] }>,
): Promise<Report | undefined> {
  if (!parts.has(part)) return undefined;
  try {
    const { report, bars: own } = await measure();
    figures[part] = report;
    bars.push(...own);
    return report;
  } catch (error) {
    print(`\n  ${part} FAILED: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
    return undefined;
  }
}

/**
 * Returns all systems for up to 10 million rows. For up to 50 million rows, returns our store and two forms of DuckDB,
 * because the memory is too small for more systems; for even more rows, returns only our store and DuckDB's file.
 * Returns only our store if nothing is compared.
 */
async function chooseSystems(): Promise<readonly SystemName[]> {
  if (!parts.has("queries") && !parts.has("random") && !parts.has("callers")) return ["strata"];
  if (million > 50) {
    print("  above 50 million rows: only DuckDB in a file and our store");
    return ["strata", "duckdb-file"];
  }
  if (million > 10) {
    print("  above 10 million rows: DuckDB with ENUM and in a file, and our store; no other peer");
    return ["strata", "duckdb-enum", "duckdb-file"];
  }
  const missing = await installPeers();
  for (const { prefix, reason } of missing) print(`  ${prefix} was not measured: ${reason}`);
  return systemNames.filter((name) => !missing.some(({ prefix }) => name.startsWith(prefix)));
}

function folderOf(name: SystemName, tableRowCount: number): string {
  return join(dir, `${name}-${tableRowCount}`);
}

/** Opens systems. Each system has a separate table of `rowCount` rows. */
async function openAll(names: readonly SystemName[], rowCount: number): Promise<void> {
  const files = await writeParquet(rowCount, seed);
  const loads: Record<string, unknown> = {};
  print("\n  loaded                    seconds   resident MiB   version");
  for (const name of names) {
    const own = folderOf(name, rowCount);
    mkdirSync(own);
    const child = startProcess();
    processes.set(name, child);
    try {
      const opened = await child.run("open", {
        name,
        rowCount,
        seed,
        files,
        dir: own,
        callers: 32,
      });
      loads[name] = opened;
      print(
        `  ${name.padEnd(22)}${(opened.loadMs / 1000).toFixed(2).padStart(11)}${(opened.memoryBytes / 2 ** 20).toFixed(0).padStart(15)}   ${opened.version}`,
      );
    } catch (error) {
      if (name === "strata") throw error;
      print(`  ${name.padEnd(22)} was not measured: ${(error as Error).message}`);
      processes.delete(name);
      await child.end();
    }
  }
  figures[`loads of ${rowCount}`] = loads;
}

async function endAll(): Promise<void> {
  for (const [name, child] of processes) {
    if (name === "strata") await child.run("close").catch(() => {});
    await child.end();
    processes.delete(name);
  }
}

function commitOf(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  const changes = git("status", "--porcelain", "--untracked-files=no");
  return `${git("rev-parse", "--short", "HEAD")}${changes ? " with changes" : ""}`;
}
