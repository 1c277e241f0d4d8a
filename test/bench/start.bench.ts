/**
 * How long does a host take until it listens: in a fresh folder, at a restart, and at a restart with 400 datasets? Each
 * round measures the bundled host of `npm start` and the host that loads its sources, in turns. Figures are wall time
 * and the processor time of the host and its PostgreSQL until the host listens. Linux only. `--repeats` is the number
 * of rounds; one more round fills the caches and is not counted.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "../../core/web/client/index.ts";
import { ownerKey, ownerToken } from "../support/hostProcess.ts";
import { atMost, reportBars } from "./bars.ts";
import { processorTime } from "./processorTime.ts";
import { shownSpread, type Spread, spreadOf } from "./spread.ts";

const { values } = parseArgs({ options: { repeats: { type: "string" } }, strict: false });
const rounds = Number(values.repeats ?? 5);
const datasetCount = 400;
const root = join(import.meta.dirname, "../..");
const commands = {
  bundled: ["deploy/bundle/main.ts", "core/cli/main.ts", "serve"],
  sources: ["core/cli/main.ts", "serve"],
} as const;
type Command = keyof typeof commands;
const commandNames = Object.keys(commands) as Command[];

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly wallMs: number;
  readonly processorMs: number;
}

async function start(command: Command, dataDir: string): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...commands[command]], {
    cwd: root,
    env: {
      ...process.env,
      MANIFOLD_DATA_DIR: dataDir,
      MANIFOLD_PORT: "0",
      MANIFOLD_KEY: ownerKey,
      MANIFOLD_TOKEN: ownerToken,
      MANIFOLD_LOG_LEVEL: "warn",
      MANIFOLD_CALLS_PER_SECOND: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  for await (const text of child.stdout) {
    output += String(text);
    const url = /Manifold listens on (\S+)/.exec(output)?.[1];
    if (url === undefined) continue;
    const wallMs = performance.now() - startedAt;
    return { child, url, wallMs, processorMs: processorTime(child.pid ?? 0) };
  }
  throw new Error(`the host did not start: ${output}`);
}

async function stop({ child }: Started): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

async function fill({ url }: Started): Promise<void> {
  const client = createClient({ url, key: ownerKey, token: ownerToken });
  for (let index = 0; index < datasetCount; index++) {
    const data = [["a", index]];
    await client.create("data", { type: "create", data, options: { header: ["text", "number"] } });
  }
}

const folder = mkdtempSync(join(tmpdir(), "manifold-start-"));
const measured = new Map<string, Started[]>();
async function measure(what: string, command: Command, dataDir: string, isCounted: boolean) {
  const started = await start(command, dataDir);
  const name = `${what}, ${command}`;
  if (isCounted) measured.set(name, [...(measured.get(name) ?? []), started]);
  await stop(started);
}

try {
  const full = join(folder, "full");
  const first = await start("bundled", full);
  await fill(first);
  await stop(first);
  for (let round = 0; round <= rounds; round++)
    for (const command of commandNames) {
      const dataDir = join(folder, `${command}${round}`);
      const isCounted = round > 0;
      await measure("fresh folder", command, dataDir, isCounted);
      await measure("restart", command, dataDir, isCounted);
      await measure(`restart with ${datasetCount} datasets`, command, full, isCounted);
      rmSync(dataDir, { recursive: true });
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const spreads = new Map<string, Spread>();
process.stdout.write(`${"milliseconds".padEnd(44)}   median   minimum   maximum\n`);
for (const name of [...measured.keys()].toSorted())
  for (const [unit, of] of [
    ["wall", ({ wallMs }: Started) => wallMs],
    ["processor", ({ processorMs }: Started) => processorMs],
  ] as const) {
    const spread = spreadOf((measured.get(name) ?? []).map(of));
    spreads.set(`${name}, ${unit}`, spread);
    process.stdout.write(`${`${name}, ${unit}`.padEnd(44)}${shownSpread(spread)}\n`);
  }
reportBars([
  atMost(
    "fresh folder, wall",
    (spreads.get("fresh folder, bundled, wall")?.min ?? NaN) / 1000,
    5,
    "s",
  ),
  atMost("restart, wall", (spreads.get("restart, bundled, wall")?.min ?? NaN) / 1000, 1.5, "s"),
]);
