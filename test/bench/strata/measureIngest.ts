import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { spreadOf } from "../spread.ts";
import { atLeast, type Bar } from "../bars.ts";
import { inProcess } from "./inProcess.ts";
import { ingestWays, type IngestWay } from "./ingest.ts";

import { writeParquet } from "./writeParquet.ts";

const rowCount = 1_000_000;
const rounds = 3;

/**
 * Loads 1,000,000 rows in each of the ways, which take turns. Each load runs in a fresh process. Compares the loaded
 * rows.
 */
export async function measureIngest(
  dir: string,
  seed: number,
  print: (line: string) => void,
): Promise<{ readonly report: unknown; readonly bars: readonly Bar[] }> {
  const { facts } = await writeParquet(rowCount, seed);
  const durations = new Map<IngestWay, number[]>();
  let expected: readonly number[] | undefined;
  print("\n  ingest of 1 million rows         M rows/s   seconds       min       max");
  for (let round = 0; round < rounds; round++)
    for (const way of ingestWays) {
      const own = join(dir, `${round}`, way);
      mkdirSync(own, { recursive: true });
      try {
        const request = { way, rowCount, seed, parquet: facts[0]!, dir: own };
        const { ms, check } = await inProcess((child) => child.run("ingest", request));
        expected ??= check;
        if (!agree(expected, check))
          throw new Error(`[${check.join(", ")}] was loaded instead of [${expected.join(", ")}]`);
        durations.set(way, [...(durations.get(way) ?? []), ms]);
      } catch (error) {
        if (round === 0) print(`  ${way} was not measured: ${(error as Error).message}`);
      }
    }
  const rate = (way: IngestWay) => {
    const measured = durations.get(way);
    return measured ? rowCount / 1000 / spreadOf(measured).median : undefined;
  };
  for (const [way, measured] of durations) {
    const { min, median, max } = spreadOf(measured);
    const seconds = [median, min, max].map((ms) => (ms / 1000).toFixed(2).padStart(10));
    print(`  ${way.padEnd(32)}${rate(way)?.toFixed(2).padStart(9)}${seconds.join("")}`);
  }
  const ratio = (one: IngestWay, other: IngestWay) => {
    const [ours, theirs] = [rate(one), rate(other)];
    return ours !== undefined && theirs !== undefined ? ours / theirs : undefined;
  };
  return {
    report: Object.fromEntries(durations),
    bars: [
      atLeast("JSON rows, queryable and durable", rate("strata json"), 0.5, "M/s"),
      atLeast(
        "JSON rows, relative to DuckDB's chunk appender",
        ratio("strata json", "duckdb json, chunk appender"),
        1,
      ),
      atLeast(
        "Parquet, durable, relative to DuckDB's own reader in memory",
        ratio("strata parquet", "duckdb parquet, its own reader"),
        0.5,
      ),
      atLeast(
        "Arrow, durable, relative to DuckDB's own Parquet reader in memory",
        ratio("strata arrow", "duckdb parquet, its own reader"),
        0.5,
      ),
    ],
  };
}

function agree(expected: readonly number[], found: readonly number[]): boolean {
  return expected.every(
    (value, index) => Math.abs(value - (found[index] ?? NaN)) <= 1e-9 * Math.abs(value),
  );
}
