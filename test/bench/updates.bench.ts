/**
 * How long does an update of 10,000 random keys take in a large table, and do other queries wait? `--rows 1m` is the
 * number of rows (default 10m). In each turn, one caller groups all rows repeatedly, first without updates and then
 * next to them. The store runs in this process, with two threads.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore, type NamedBatch, type Plan } from "../../engine/index.ts";
import { createRandom } from "../support/random.ts";
import { atMost, reportBars } from "./bars.ts";
import { quantile } from "./spread.ts";

const { values } = parseArgs({ options: { rows: { type: "string" } }, strict: false });
const rowCount = String(values["rows"] ?? "10m") === "1m" ? 1_000_000 : 10_000_000;
const keyCount = 10_000;
const updateCount = 15;
const rowsPerAppend = 1_000_000;
const dayMs = 86_400_000;
const print = (line: string) => process.stdout.write(`${line}\n`);
const random = createRandom(1);
const cities = Array.from({ length: 1000 }, (_, index) => `city ${index}`);

function rowsOf(ids: Float64Array): NamedBatch {
  return {
    names: ["id", "city", "amount", "day"],
    batch: {
      rowCount: ids.length,
      columns: [
        { type: "number", values: ids },
        {
          type: "text",
          codes: Int32Array.from(ids, (id) => (id * 7919) % 1000),
          dictionary: cities,
        },
        { type: "number", values: Float64Array.from(ids, (id) => ((id * 31) % 10_000) / 100) },
        { type: "datetime", values: Float64Array.from(ids, (id) => (id % 3650) * dayMs) },
      ],
    },
  };
}

function randomRows(): NamedBatch {
  const ids = new Set<number>();
  while (ids.size < keyCount) ids.add(random.below(rowCount));
  return rowsOf(Float64Array.from(ids));
}

async function millisecondsOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

const dir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const store = await openStore({ dir, workers: 2, memoryBytes: 4 * 2 ** 30 });
try {
  await store.create({
    name: "t",
    columns: [
      { name: "id", type: "number" },
      { name: "city", type: "text" },
      { name: "amount", type: "number" },
      { name: "day", type: "datetime" },
    ],
  });
  for (let first = 0; first < rowCount; first += rowsPerAppend) {
    const ids = Float64Array.from({ length: rowsPerAppend }, (_, index) => first + index);
    await store.append({ table: "t", rows: rowsOf(ids) });
  }
  await store.compact();
  await store.warm();
  const plan: Plan = {
    table: "t",
    grouped: true,
    outputs: [
      { kind: "key", of: { kind: "column", name: "city" } },
      { kind: "aggregate", function: "sum", of: { kind: "column", name: "amount" } },
    ],
  };
  const query = () => millisecondsOf(() => store.query(plan));
  const update = () => {
    const rows = randomRows();
    return millisecondsOf(() => store.update({ table: "t", rows, key: ["id"] }));
  };
  // After the first update, queries leave out deleted rows.
  await update();
  for (let each = 0; each < 20; each++) await query();
  const alone: number[] = [];
  const beside: number[] = [];
  const updates: number[] = [];
  for (let each = 0; each < updateCount; each++) {
    for (let again = 0; again < 10; again++) alone.push(await query());
    let isDone = false;
    const updating = update().finally(() => (isDone = true));
    do beside.push(await query());
    while (!isDone);
    updates.push(await updating);
    for (let again = 0; again < 9; again++) beside.push(await query());
  }
  const shown = (durations: readonly number[]) =>
    [0.5, 0.99].map((part) => quantile(durations, part).toFixed(1).padStart(9)).join("");
  print(`  ${rowCount} rows, ${keyCount} keys per update, milliseconds:     p50      p99`);
  print(`  ${"updates".padEnd(52)}${shown(updates)}`);
  print(`  ${"queries without updates".padEnd(52)}${shown(alone)}`);
  print(`  ${"queries next to updates".padEnd(52)}${shown(beside)}`);
  reportBars([
    atMost("update, ms", quantile(updates, 0.5), 500),
    atMost("p99 of queries, relative", quantile(beside, 0.99) / quantile(alone, 0.99), 1.5),
  ]);
} finally {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
}
