/**
 * How long does a caller wait for a dashboard of 12 items over three million flights as PDF and PNG? How many cells per
 * second do data files reach over HTTP, and how much does the host's memory grow? The host is warm. The figures are
 * wrong when another process runs. `--rows` is the number of flights.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { columnsOf } from "../../examples/support/columnsOf.ts";
import { ownerKey, ownerToken, startHostProcess } from "../support/hostProcess.ts";
import { atLeast, atMost, reportBars } from "./bars.ts";
import { flightsDashboard } from "./dashboards/flightsDashboard.ts";
import { fillFlights } from "./fillFlights.ts";
import { processorTime } from "./processorTime.ts";
import { shownSpread, spreadOf } from "./spread.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    rows: { type: "string", default: "3m" },
    seed: { type: "string" },
    repeats: { type: "string", default: "5" },
    json: { type: "string" },
    minutes: { type: "string" },
  },
});
const flights = Number(values.rows.replace("m", "000000").replace("k", "000"));
const repeats = Number(values.repeats);
const print = (line: string) => process.stdout.write(`${line}\n`);
const row = (name: string, figures: string) => print(`  ${name.padEnd(34)} ${figures}`);

const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const host = await startHostProcess(dataDir, { MANIFOLD_EXPORT_CELLS: "10000000" });
try {
  const { client, url, pid } = host;
  const { datasetId, filledCount } = await fillFlights(client, flights);
  const columns = await columnsOf(client, datasetId);
  const items = flightsDashboard(datasetId, columns);
  const { id } = await client.create<{ id: string }>("securable", {
    type: "dashboard",
    name: { en: "Flights" },
    contents: { version: "0.1.99", views: [{ screenModus: "desktop", items }] },
  });

  /** Requests a file, and discards the bytes as they arrive. */
  const take = async (properties: object) => {
    const [startedAt, usedMs] = [performance.now(), processorTime(pid)];
    const answer = await fetch(`${url}/0.1.0/export`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        action: "create",
        version: "0.1.0",
        key: ownerKey,
        token: ownerToken,
        properties,
      }),
    });
    if (answer.status !== 200 || !answer.body) throw new Error(await answer.text());
    let sizeBytes = 0;
    for await (const chunk of answer.body) sizeBytes += chunk.length;
    return {
      ms: performance.now() - startedAt,
      usedMs: processorTime(pid) - usedMs,
      sizeBytes,
    };
  };
  const residentMib = (member: "VmRSS" | "VmHWM") => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`${member}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  };

  print(`${filledCount} flights; milliseconds            median       min       max`);
  const pictures = new Map<string, number>();
  for (const type of ["pdf", "png"]) {
    const properties = { type, securable_id: id, width: 1_440 };
    await take(properties);
    const taken = [];
    for (let round = 0; round < repeats; round++) taken.push(await take(properties));
    const spread = spreadOf(taken.map(({ ms }) => ms));
    pictures.set(type, spread.median);
    row(`${items.length} items as ${type}`, shownSpread(spread));
    row("  processor time of the host", shownSpread(spreadOf(taken.map(({ usedMs }) => usedMs))));
  }

  const names = ["date", "hour", "origin", "destination", "distance", "delay"];
  const reference = (name: string) => ({ dataset_id: datasetId, column_id: columns[name] });
  const rowsOfFile = Math.min(filledCount, 100_000);
  const query = {
    dimensions: names.map(reference),
    options: { rollup_data: false },
    limit: { by: rowsOfFile },
  };
  const cellCount = rowsOfFile * names.length;
  print(`\n${cellCount} cells; thousands per second         median       min       max`);
  const speeds = new Map<string, number>();
  let grownMib = 0;
  for (const type of ["csv", "csv-raw", "xlsx", "xlsx-raw", "parquet"]) {
    await take({ type, query });
    const before = residentMib("VmRSS");
    // Resets the peak of the resident memory (proc(5)).
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    const taken = [];
    for (let round = 0; round < repeats; round++) taken.push(await take({ type, query }));
    const grown = residentMib("VmHWM") - before;
    grownMib = Math.max(grownMib, grown);
    const spread = spreadOf(taken.map(({ ms }) => cellCount / ms));
    speeds.set(type, spread.median * 1_000);
    row(type, shownSpread(spread));
    const used = spreadOf(taken.map(({ usedMs }) => cellCount / usedMs));
    row("  per second of processor time", shownSpread(used));
    row("  memory, MiB", `${before.toFixed(0)} before, ${grown.toFixed(0)} more at the peak`);
  }
  reportBars([
    atMost("a dashboard of 12 items as PDF", pictures.get("pdf"), 1_500, "ms"),
    atMost("a dashboard of 12 items as PNG", pictures.get("png"), 1_000, "ms"),
    atLeast("CSV", speeds.get("csv"), 1e6, "cells/s"),
    atLeast("XLSX", speeds.get("xlsx"), 400_000, "cells/s"),
    atMost("growth of the host's memory", grownMib, 256, "MiB"),
  ]);
} finally {
  await host.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}
