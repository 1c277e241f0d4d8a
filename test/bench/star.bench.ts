/**
 * How fast are the thirteen questions of the Star Schema Benchmark, compared with DuckDB? Both systems have the same
 * generated rows in memory and two threads. Their answers are compared first, and then they answer in turns. `--rows`
 * is the number of facts and defaults to 6m; `--repeats` defaults to 15. `--only star:2` measures the second flight.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cellsOf, openStar } from "./star/openStar.ts";
import { starQuestions } from "./star/starQuestions.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    rows: { type: "string", default: "6m" },
    seed: { type: "string", default: "1" },
    repeats: { type: "string", default: "15" },
  },
});
const rowCount = Number(values.rows.replace("m", "000000"));
const wanted = values.only.split(":")[1] ?? "";

/** Runs a function and returns its wall time and its processor time in all threads, in milliseconds. */
async function measure(run: () => Promise<unknown>) {
  const from = process.cpuUsage();
  const startedAt = performance.now();
  await run();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(from);
  return { wallMs, processorMs: (user + system) / 1000 };
}

const dir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const star = await openStar({ rowCount, seed: Number(values.seed), threads: 2, dir });
try {
  await star.store.warm();
  const heading = ["processor", "DuckDB", "ratio", "wall", "DuckDB", "ratio"];
  process.stdout.write(
    `  ${`${rowCount} facts. Least of ${values.repeats} rounds, in ms`.padEnd(45)}${heading.map((word) => word.padStart(10)).join("")}\n`,
  );
  const ratios: { readonly processor: number; readonly wall: number }[] = [];
  for (const { name, plan, sql } of starQuestions.filter((each) => each.name.startsWith(wanted))) {
    const own = () => star.store.query(plan);
    const other = () => star.sql(sql);
    const expected = await other();
    assert.deepEqual(cellsOf(await own()), expected, name);
    const least = { own: [Infinity, Infinity], other: [Infinity, Infinity] };
    for (let round = 0; round < Number(values.repeats); round++)
      for (const [side, run] of [
        ["own", own],
        ["other", other],
      ] as const) {
        const { processorMs, wallMs } = await measure(run);
        least[side] = [Math.min(least[side][0]!, processorMs), Math.min(least[side][1]!, wallMs)];
      }
    const figures = [0, 1].flatMap((index) => {
      const [mine, theirs] = [least.own[index]!, least.other[index]!];
      return [mine, theirs, theirs / mine];
    });
    ratios.push({ processor: figures[2]!, wall: figures[5]! });
    process.stdout.write(
      `  ${`${name}, ${expected.length} rows`.padEnd(45)}${figures.map((figure) => figure.toFixed(2).padStart(10)).join("")}\n`,
    );
  }
  const mean = (of: "processor" | "wall") =>
    Math.exp(ratios.reduce((sum, each) => sum + Math.log(each[of]), 0) / ratios.length);
  process.stdout.write(
    `  geometric mean of DuckDB's time divided by ours: ${mean("processor").toFixed(2)} (processor), ${mean("wall").toFixed(2)} (wall)\n`,
  );
} finally {
  await star.close();
  rmSync(dir, { recursive: true });
}
