import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore, type Store } from "../../../engine/index.ts";
import { atLeast, reportBars } from "../bars.ts";
import { quantile } from "../spread.ts";
import type { Question } from "./accessPath.ts";
import { accessPaths } from "./accessPaths.ts";
import { fillTables } from "./fillTables.ts";
import { switches } from "./switchPaths.ts";
import { threadTime } from "./threadTime.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    rows: { type: "string", default: "10m" },
    seed: { type: "string", default: "1" },
    repeats: { type: "string", default: "15" },
  },
});
const rowCount = Number(values.rows.replace("m", "000000"));
const roundCount = Number(values.repeats);
const part = values.only.split(":")[1] ?? "";
/** Minimum processor time of one measurement in milliseconds. Cheap queries are repeated to reach it. */
const leastMs = 10;
/**
 * A path stays in the engine if, without the path, at least one of its queries takes this many times as long or more.
 */
const leastGain = 1.3;

/** Runs a query alternately with and without a path. Prints the medians and returns the median of the ratios. */
async function measure(store: Store, index: number, { title, plan }: Question): Promise<number> {
  const name = accessPaths[index]!.name;
  const runPlan = async (isOff: boolean, times = 1) => {
    switches[2 * index] = Number(isOff);
    switches[2 * index + 1] = 0;
    const startedAt = threadTime();
    let answer = await store.query({ table: "f", grouped: true, ...plan });
    for (let time = 1; time < times; time++)
      answer = await store.query({ table: "f", grouped: true, ...plan });
    const ms = (threadTime() - startedAt) / times;
    switches[2 * index] = 0;
    if (switches[2 * index + 1]! > 0 === isOff)
      throw new Error(
        `${title}: ${name} was ${isOff ? "" : "not "}used although it was switched ${isOff ? "off" : "on"}`,
      );
    return { columns: answer.columns, ms };
  };
  const plain = await runPlan(true);
  assert.deepEqual((await runPlan(false)).columns, plain.columns);
  for (const isOff of [true, false, true, false]) await runPlan(isOff, 2);
  const times = Math.ceil(leastMs / Math.max(0.2, (await runPlan(false, 3)).ms));
  const rounds: { readonly on: number; readonly off: number }[] = [];
  for (let round = 0; round < roundCount; round++) {
    const isOffFirst = round % 2 === 0;
    const first = await runPlan(isOffFirst, times);
    const second = await runPlan(!isOffFirst, times);
    const [off, on] = isOffFirst ? [first.ms, second.ms] : [second.ms, first.ms];
    rounds.push({ on, off });
  }
  const ratios = rounds.map(({ on, off }) => off / on);
  const shown = (measured: readonly number[], share = 0.5) =>
    quantile(measured, share).toFixed(2).padStart(8);
  process.stdout.write(
    `  ${name.padEnd(38)} ${title.padEnd(38)}${shown(rounds.map(({ on }) => on))} ${shown(rounds.map(({ off }) => off))} ${shown(ratios)} ${shown(ratios, 0.25)} ${shown(ratios, 0.75)}\n`,
  );
  return quantile(ratios, 0.5);
}

const dir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const gains = new Map<string, number>();
try {
  for (const workers of [1, 2]) {
    const store = await openStore({ dir, workers, memoryBytes: 4 * 2 ** 30 });
    try {
      await store.warm();
      if (!store.table("f")) await fillTables(store, rowCount, Number(values.seed));
      const heading = ["with", "without", "ratio", "quarter", "three"];
      process.stdout.write(
        `\n  ${`threads: ${workers}. Processor time in ms`.padEnd(77)}${heading.map((word) => word.padStart(8)).join(" ")}\n`,
      );
      for (const [index, { name, questions }] of accessPaths.entries())
        for (const question of name.includes(part) ? questions : []) {
          const gain = await measure(store, index, question);
          gains.set(name, Math.max(gain, gains.get(name) ?? 0));
        }
    } finally {
      await store.close();
    }
  }
  reportBars([...gains].map(([name, gain]) => atLeast(name, gain, leastGain)));
} finally {
  rmSync(dir, { recursive: true });
}
