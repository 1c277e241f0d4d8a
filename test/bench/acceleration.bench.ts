/**
 * How fast is a PostgreSQL table copied into the store? The table has 5,000,000 rows (`ROWS` sets another number) and
 * 10 columns: strings with 5 to 50,000 distinct values, whole numbers, decimals, doubles, instants and nulls.
 * PostgreSQL runs on the same processors as this process. The bench checks counts and sums before it counts any time.
 * The `strata` bench measures the rate of JSON ingest. Memory is the highest resident set during the load minus the
 * resident set before the load, and includes the copy in the store. A small load and some queries run first, because a
 * host in use has already started its threads and loaded its modules.
 */
import { setTimeout as pause } from "node:timers/promises";
import { openAccelerated } from "../core/sources/acceleration/openAccelerated.ts";
import { atMost, reportBars } from "./bars.ts";
import { processorTime } from "./processorTime.ts";

const rowCount = Number(process.env["ROWS"] ?? 5_000_000);
const print = (line: string) => process.stdout.write(`${line}\n`);
const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;

const host = await openAccelerated(2);
try {
  await host.source.run(`
    create table facts as select
      n as id,
      'region_' || (n * 7919 % 5) as region,
      'shop ' || (n * 104729 % 1000) as shop,
      'item ' || (n * 15485863 % 50000) as item,
      (n * 31 % 1000)::int as pieces,
      round((n * 17 % 100000) / 100.0, 2)::numeric(12, 2) as price,
      sqrt(n)::float8 as weight,
      case when n % 50 = 0 then null else (n % 977)::int end as score,
      timestamp '2020-01-01' + n * interval '7 second' as at,
      date '2020-01-01' + (n % 1500)::int as day
    from generate_series(1, ${rowCount}::bigint) n`);
  await host.source.run("analyze facts");
  await serveSmall();
  const dataset = await host.dataset("public.facts");
  await host.associate(dataset, { load_type: "full" });
  (globalThis as { gc?: () => void }).gc?.();
  const before = process.memoryUsage();
  let peakBytes = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
      await pause(50);
    }
  })();
  const usedBefore = processorTime(process.pid);
  const startedAt = performance.now();
  const ended = await host.load(dataset);
  const seconds = (performance.now() - startedAt) / 1000;
  const usedS = (processorTime(process.pid) - usedBefore) / 1000;
  isDone = true;
  await watching;
  const copy = await host.copyOf(dataset);
  if (ended !== "copied")
    throw new Error(`the load ended with ${ended}: ${String(copy?.["failure"])}`);
  const queryWith = async (options: object) => {
    const answer = await host.queries.answer(
      {
        measures: [
          { dataset_id: dataset.id, column_id: "*", aggregation: { type: "count" } },
          ...["pieces", "weight", "price"].map((name) => ({
            dataset_id: dataset.id,
            column_id: dataset.columns[name],
            aggregation: { type: "sum" },
          })),
        ],
        options,
      },
      host.owner,
      new AbortController().signal,
    );
    return ([answer].flat()[0]?.data[0] ?? []).map(Number);
  };
  const [copied, live] = [await queryWith({}), await queryWith({ max_age: 0 })];
  if (copied.some((value, index) => Math.abs(value - live[index]!) > 1e-9 * Math.abs(value)))
    throw new Error(`the copy has ${copied.join()}, the source ${live.join()}`);
  (globalThis as { gc?: () => void }).gc?.();
  const after = process.memoryUsage();
  print(
    `  ${rowCount} rows × 10 columns in ${seconds.toFixed(1)} s: ${(rowCount / seconds / 1e6).toFixed(3)} M rows/s`,
  );
  print(
    `  processor time of the host ${usedS.toFixed(1)} s: ${(rowCount / usedS / 1e6).toFixed(3)} M rows per second of it`,
  );
  print(
    `  memory: ${mebibytes(before.rss)} before, ${mebibytes(peakBytes)} at the peak, ${mebibytes(after.rss)} after`,
  );
  const grownMiB = (peakBytes - before.rss) / 2 ** 20;
  reportBars([atMost("growth of the process, including the copy", grownMiB, 200, "MiB")]);
} finally {
  await host.close();
}
process.exit();

/** Copies and queries a small table, to start the threads and load the modules. */
async function serveSmall(): Promise<void> {
  await host.source.run("create table small as select * from facts limit 20000");
  const small = await host.dataset("public.small");
  await host.associate(small, { load_type: "full" });
  await host.load(small);
  const of = (name: string) => ({ dataset_id: small.id, column_id: small.columns[name] });
  const query = {
    dimensions: [of("shop")],
    measures: [{ ...of("weight"), aggregation: { type: "sum" } }],
  };
  for (let turn = 0; turn < 20; turn++)
    await host.queries.answer(query, host.owner, new AbortController().signal);
}
