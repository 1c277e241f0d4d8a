/**
 * How fast are the questions of public benchmarks, over HTTP as users ask them, compared with DuckDB and ClickHouse?
 * The questions are those of ClickBench, the Star Schema Benchmark, H2O's group-by, taxi trips and TPC-H. Beside the
 * host, the engine answers the same questions in process. All systems have the same generated rows and two threads.
 * `--rows` is the size of the largest table (default 1m). `--only public:h2o` measures one part, and
 * `--only public:clickbench,C5` one question of it.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { reportBars, type Bar } from "./bars.ts";
import { measureFloors } from "./public/measureFloors.ts";
import { measurePart } from "./public/measurePart.ts";
import { openHostSystem } from "./public/openHostSystem.ts";
import { publicParts } from "./public/publicParts.ts";
import type { PublicPart } from "./public/publicPart.ts";
import type { PublicJobs } from "./public/publicJobs.ts";
import { heading, reportPart, showQuestion } from "./public/reportPart.ts";
import { systemNames, type PublicSystemName } from "./public/systems/publicSystem.ts";
import { writeTables } from "./public/writeTables.ts";
import { installPeers } from "./strata/installPeers.ts";
import { startProcess, type BenchProcess } from "./strata/startProcess.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    rows: { type: "string", default: "1m" },
    seed: { type: "string", default: "1" },
    repeats: { type: "string", default: "5" },
  },
  strict: false,
});
const rowCount = Number(String(values.rows).replace("m", "000000").replace("k", "000"));
const seed = Number(values.seed);
const [, wanted] = /public:(\w+)/.exec(String(values.only)) ?? [];
const chosen = String(values.only).split(",").slice(1);
/** Above this number of rows, only one form of each peer fits into memory beside the host. */
const largestForAll = 2_000_000;

const print = (line: string) => process.stdout.write(`${line}\n`);
const bars: Bar[] = [];
const missing = await installPeers(["clickhouse"]);
for (const { prefix, reason } of missing) print(`  ${prefix} was not measured: ${reason}`);
const systems = systemNames
  .filter((name) => !missing.some(({ prefix }) => name.startsWith(prefix)))
  .filter(
    (name) =>
      rowCount <= largestForAll || ["engine", "duckdb-enum", "clickhouse-mergetree"].includes(name),
  );
for (const [name, make] of Object.entries(publicParts)) {
  if (wanted !== undefined && wanted !== name) continue;
  const part = make(rowCount, seed);
  const questions = part.questions.filter(
    (each) => chosen.length === 0 || chosen.includes(each.name),
  );
  await measure({ ...part, questions });
}
reportBars(bars);

async function measure(part: PublicPart): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-bench-"));
  const processes = new Map<PublicSystemName, BenchProcess<PublicJobs>>();
  try {
    const tables = await writeTables(
      part,
      join(tmpdir(), "manifold-bench", `public-${part.name}-${seed}-${rowCount}`),
    );
    const host = await openHostSystem(part, tables, join(folder, "host"));
    try {
      for (const name of systems) {
        const own = join(folder, name);
        mkdirSync(own);
        const child = startProcess<PublicJobs>(new URL("./public/child.ts", import.meta.url));
        processes.set(name, child);
        await child.run("open", { name, tables, dir: own });
      }
      print(
        `\n  ${part.name}, ${rowCount} rows; medians of ${String(values.repeats)} rounds in ms`,
      );
      print(heading);
      const measured = await measurePart({
        part,
        host,
        processes,
        repeats: Number(values.repeats),
        onMeasured: (each) => print(showQuestion(each)),
      });
      if (chosen.length === 0) bars.push(...reportPart(part, measured, print));
      const engine = processes.get("engine")!;
      await measureFloors({ part, tables, measured, engine, rowCount, print });
    } finally {
      await host.close();
    }
  } finally {
    for (const child of processes.values()) await child.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
