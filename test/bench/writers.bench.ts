/**
 * Do readers wait for writers? Eight readers send a small query over a dataset that nobody changes, in three kinds of
 * turns: without writers, with 40 writers to 8 datasets, and with 40 writers to 40 datasets. `--minutes n` is the
 * duration of a turn (default 0.2). The host does not cache answers. Writers and readers share one client process,
 * which uses part of the processors. Therefore only ratios between turns are meaningful, not milliseconds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startHostProcess } from "../support/hostProcess.ts";
import { atMost, reportBars } from "./bars.ts";
import { quantile } from "./spread.ts";

const { values } = parseArgs({ options: { minutes: { type: "string" } }, strict: false });
const turnMs = Number(values["minutes"] ?? 0.2) * 60_000;
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly columns: readonly { id: string }[] }[];
}

const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const host = await startHostProcess(dataDir, { MANIFOLD_CACHE_MB: "0" });
try {
  const { client } = host;
  const rows = Array.from({ length: 100 }, (_, index) => [`city ${index % 10}`, index]);
  const make = async () => {
    const [made] = (await client.create<Pushed>("data", { type: "create", data: rows })).rows;
    if (!made) throw new Error("the push returned no dataset");
    return made;
  };
  const readDataset = await make();
  const written = await Promise.all(Array.from({ length: 40 }, make));
  const [city, km] = readDataset.columns.map(({ id }) => ({
    dataset_id: readDataset.id,
    column_id: id,
  }));
  const query = { dimensions: [city], measures: [{ ...km, aggregation: { type: "sum" } }] };

  /** Calls `run` repeatedly until the time is up. Returns the milliseconds of each call. */
  const during = async (endsAt: number, run: () => Promise<unknown>): Promise<number[]> => {
    const durations: number[] = [];
    while (performance.now() < endsAt) {
      const startedAt = performance.now();
      await run();
      durations.push(performance.now() - startedAt);
    }
    return durations;
  };
  const turn = async (name: string, writerCount: number, datasetCount: number) => {
    const endsAt = performance.now() + turnMs;
    const reading = Array.from({ length: 8 }, () =>
      during(endsAt, () => client.get<unknown>("data", query)),
    );
    const writing = Array.from({ length: writerCount }, (_, writer) => {
      const push = { securable_id: written[writer % datasetCount]?.id, data: rows };
      return during(endsAt, () => client.create("data", { type: "append", ...push }));
    });
    const read = (await Promise.all(reading)).flat();
    const pushed = (await Promise.all(writing)).flat();
    const shown = (durations: readonly number[]) =>
      [0.5, 0.99].map((part) => quantile(durations, part).toFixed(0).padStart(7)).join("");
    const perSecond = ((pushed.length * 1000) / turnMs).toFixed(0).padStart(12);
    print(`  ${name.padEnd(32)}${shown(read)}${pushed.length ? perSecond + shown(pushed) : ""}`);
    return quantile(read, 0.5);
  };
  print(`  ${"".padEnd(32)}reads: p50    p99   pushes/s    p50    p99`);
  await turn("(to warm up)", 8, 8);
  await turn("no writer", 0, 1);
  const few = await turn("40 writers to 8 datasets", 40, 8);
  const many = await turn("40 writers to 40 datasets", 40, 40);
  reportBars([atMost("reads with writers to 40 datasets, relative to 8 datasets", many / few, 3)]);
} finally {
  await host.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}
