/**
 * How fast is a backup of a running host, compared with copying its files? How long do people's queries take during the
 * backup, how much does a second backup write, and how long does a restore take? `--rows` is the number of flights, in
 * datasets of three million rows. The figures are wrong when another process runs.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { columnsOf } from "../../examples/support/columnsOf.ts";
import { startHostProcess } from "../support/hostProcess.ts";
import { atLeast, atMost, reportBars } from "./bars.ts";
import { fillFlights } from "./fillFlights.ts";
import { shownSpread, spreadOf } from "./spread.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    rows: { type: "string", default: "10m" },
    seed: { type: "string" },
    repeats: { type: "string", default: "3" },
    json: { type: "string" },
    minutes: { type: "string" },
  },
});
const wantedRows = Number(values.rows.replace("m", "000000").replace("k", "000"));
const repeats = Number(values.repeats);
const rowsOfDataset = 3_000_000;
const main = fileURLToPath(new URL("../../core/cli/main.ts", import.meta.url));
const run = promisify(execFile);
const print = (line: string) => process.stdout.write(`${line}\n`);
const row = (name: string, figures: string) => print(`  ${name.padEnd(38)} ${figures}`);

/** The number of clients that send queries without pausing. */
const personCount = 2;
const quietMs = 8_000;

const folder = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const dataDir = join(folder, "data");
mkdirSync(dataDir);
const environment = { MANIFOLD_CACHE_MB: "0" };
const host = await startHostProcess(dataDir, environment);
let places = 0;
const newPlace = () => join(folder, `place ${places++}`);

async function command(...args: string[]): Promise<{ readonly ms: number; readonly text: string }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, MANIFOLD_DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (part: Buffer) => (text += part.toString()));
  const [status] = await once(child, "exit");
  if (status !== 0) throw new Error(`manifold ${args.join(" ")} exited with ${String(status)}`);
  return { ms: performance.now() - startedAt, text };
}

try {
  const { client } = host;
  const ids: string[] = [];
  let rowCount = 0;
  while (rowCount < wantedRows) {
    const { datasetId, filledCount } = await fillFlights(
      client,
      Math.min(rowsOfDataset, wantedRows - rowCount),
    );
    ids.push(datasetId);
    rowCount += filledCount;
  }
  const [datasetId = ""] = ids;
  const columns = await columnsOf(client, datasetId);
  const reference = (name: string) => ({ dataset_id: datasetId, column_id: columns[name] });

  /** Sends queries one after another until `ending` settles. Returns the response times in milliseconds. */
  const queryUntil = async (ending: Promise<unknown>) => {
    let isOver = false;
    void ending.finally(() => (isOver = true));
    const times: number[] = [];
    const one = async (person: number) => {
      for (let count = 0; !isOver; count++) {
        const startedAt = performance.now();
        await client.get("data", {
          dimensions: [
            reference(["origin", "destination", "hour"][(count + person) % 3] ?? "hour"),
          ],
          measures: [{ ...reference("delay"), aggregation: { type: "average" } }],
          order: [{ ...reference("delay"), aggregation: { type: "average" }, order: "desc" }],
          limit: { by: 20 },
        });
        times.push(performance.now() - startedAt);
      }
    };
    await Promise.all(Array.from({ length: personCount }, (_, person) => one(person)));
    return times.toSorted((before, after) => before - after);
  };
  const p99 = (times: readonly number[]) => times[Math.floor(times.length * 0.99)] ?? Number.NaN;

  const sizeText = (await run("du", ["-sb", join(dataDir, "strata")])).stdout;
  const mebibytes = Number(sizeText.split("\t")[0]) / 2 ** 20;
  print(`${rowCount} flights, ${mebibytes.toFixed(0)} MiB       median       min       max`);

  const copies: number[] = [];
  const backups: number[] = [];
  let place = "";
  for (let round = 0; round < repeats; round++) {
    const copied = newPlace();
    const startedAt = performance.now();
    await run("cp", ["-r", join(dataDir, "strata"), copied]);
    await run("sync", ["-f", copied]);
    copies.push(mebibytes / ((performance.now() - startedAt) / 1000));
    place = newPlace();
    const { ms } = await command("backup", place);
    backups.push(mebibytes / (ms / 1000));
  }
  const [copy, backup] = [spreadOf(copies), spreadOf(backups)];
  row("cp and sync, MiB per second", shownSpread(copy));
  row("manifold backup, MiB per second", shownSpread(backup));

  const quiet = await queryUntil(new Promise((resolve) => setTimeout(resolve, quietMs)));
  const startedAt = performance.now();
  const meanwhile = await queryUntil(
    (async () => {
      while (performance.now() - startedAt < quietMs) await command("backup", newPlace());
    })(),
  );
  row("p99 of queries, quiet, ms", p99(quiet).toFixed(1));
  row("p99 of queries meanwhile, ms", p99(meanwhile).toFixed(1));

  await fillFlights(client, 10_000);
  const second = await command("backup", place);
  row("a second backup, ms", second.ms.toFixed(0));
  print(`  ${second.text.split("\n")[1] ?? ""}`);
  const restored = await command(
    "restore",
    place,
    "--data-dir",
    join(folder, "restored"),
    "--lose-secrets",
  );
  row("a restore, ms", restored.ms.toFixed(0));
  reportBars([
    atLeast("backup rate relative to the disk's copy rate", backup.median / copy.median, 0.5),
    atMost("p99 of queries during a backup, relative to quiet", p99(meanwhile) / p99(quiet), 1.5),
  ]);
} finally {
  await host.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}
