/**
 * How long do clients wait after a host is killed? Three hosts share one catalog and one ClickHouse. When a host does
 * not respond, each of the six writers moves to the next host. Each host also has a reader. The bench kills a host and
 * waits until each writer has received two responses. For comparison it measures how long a push takes when no host is
 * killed. `--repeats` is the number of kills.
 */
import { parseArgs } from "node:util";
import { openHostGroup } from "../support/hostGroup.ts";
import { startLoad } from "../support/startLoad.ts";
import { atMost, reportBars } from "./bars.ts";
import { shownSpread, spreadOf } from "./spread.ts";

const { values } = parseArgs({ options: { repeats: { type: "string" } }, strict: false });
const killCount = Number(values.repeats ?? 30);
const recoveredBarMs = 2000;

const group = await openHostGroup(3);
try {
  const load = await startLoad(group);
  const quiet: number[] = [];
  const waits: number[] = [];
  const restarts: number[] = [];
  for (let kill = 0; kill < killCount; kill++) {
    const { quietMs, recoveredMs, restartMs } = await load.round(kill % 3);
    quiet.push(quietMs);
    waits.push(recoveredMs);
    restarts.push(restartMs);
  }
  const { faults, pushCount, questionCount } = await load.end();
  const print = (line: string) => process.stdout.write(`${line}\n`);
  print(`  ${killCount} kills during ${pushCount} pushes and ${questionCount} queries`);
  print("  longest in a round, milliseconds                    median       min       max");
  print(`  ${"a push before the kill".padEnd(46)} ${shownSpread(spreadOf(quiet))}`);
  print(`  ${"a push after the kill".padEnd(46)} ${shownSpread(spreadOf(waits))}`);
  print(`  ${"until the restarted host listens".padEnd(46)} ${shownSpread(spreadOf(restarts))}`);
  reportBars([
    atMost("longest wait of a push after a kill", spreadOf(waits).max, recoveredBarMs, "ms"),
    atMost("failed calls to running hosts", faults.length, 0, "calls"),
  ]);
} finally {
  await group.close();
}
