/**
 * For how long is a killed host missed? Three hosts on one catalog and one ClickHouse, six writers who go to the next
 * host when one does not answer, and a reader of each host. A host is killed, and the bench waits until each writer was
 * answered twice. Beside it: how long a push waits when nothing is killed. `--repeats` is the number of kills.
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
  print(`  ${killCount} kills amid ${pushCount} pushes and ${questionCount} questions`);
  print("  the longest of a round, milliseconds                median       min       max");
  print(`  ${"a push before the kill".padEnd(46)} ${shownSpread(spreadOf(quiet))}`);
  print(`  ${"a push from the kill on".padEnd(46)} ${shownSpread(spreadOf(waits))}`);
  print(`  ${"until the killed host listens again".padEnd(46)} ${shownSpread(spreadOf(restarts))}`);
  reportBars([
    atMost("a push waits after a kill, at most", spreadOf(waits).max, recoveredBarMs, "ms"),
    atMost("calls that failed on hosts that live", faults.length, 0, "calls"),
  ]);
} finally {
  await group.close();
}
