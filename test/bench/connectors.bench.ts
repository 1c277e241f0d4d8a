/**
 * What does a connector cost beyond its database? The compilation of a chart; a pushed question beside its statement
 * sent by hand; plain rows of PostgreSQL beside a bare cursor loop; memory on the way; rows that a superset filter
 * fetches. Both sides take turns, and answers are compared before a time counts. A figure is wrong when another process
 * runs: ratios of turns, and processor times, suffer least.
 */
import { measureCompile } from "./connectors/measureCompile.ts";
import { measureMemory } from "./connectors/measureMemory.ts";
import { measurePushed } from "./connectors/measurePushed.ts";
import { measureRows, shownRows } from "./connectors/measureRows.ts";
import { measureSuperset } from "./connectors/measureSuperset.ts";
import { measureThreeSources } from "./connectors/measureThreeSources.ts";
import { pushedSources } from "./connectors/openPushedSources.ts";
import { readOptions } from "./connectors/options.ts";
import { shownSpread } from "./spread.ts";

const { rowCount, rounds, isWanted } = readOptions();
const print = (line: string) => process.stdout.write(`${line}\n`);
const holds = (isHeld: boolean) => (isHeld ? "holds" : "does not hold");

if (isWanted("compile")) {
  print("  compile a chart, microseconds                           median       min       max");
  for (const [name, { min, median, max }] of Object.entries(measureCompile())) {
    const spread = { min: min * 1000, median: median * 1000, max: max * 1000 };
    print(`  ${name.padEnd(52)} ${shownSpread(spread)}`);
    print(`    ${holds(median <= 0.3)}: 0.3 ms wanted`);
  }
}

if (isWanted("pushed")) {
  print("\n  pushed questions, milliseconds                          median       min       max");
  for (const source of Object.keys(pushedSources)) {
    const reports = await measurePushed(source, rowCount ?? 5000, rounds ?? 200);
    for (const [title, { byHand, beyond }] of Object.entries(reports)) {
      print(`  ${`${source}: ${title}, by hand`.padEnd(52)} ${shownSpread(byHand)}`);
      print(`  ${"  the host beyond it".padEnd(52)} ${shownSpread(beyond)}`);
      print(`    ${holds(beyond.median <= 2)}: 2 ms wanted`);
    }
  }
}

if (isWanted("rows")) {
  const rows = await measureRows(rowCount ?? 500_000, rounds ?? 7);
  print(`\n  ${rows.rowCount} plain rows × 6 columns to a residual`);
  for (const line of shownRows(rows)) print(line);
}

if (isWanted("memory")) {
  const count = rowCount ?? 5_000_000;
  const { hostMib, scratchMib } = await measureMemory(count);
  const above = hostMib - scratchMib;
  print(`\n  ${count} plain rows, resident MiB at most`);
  print(
    `  through the host ${hostMib.toFixed(0)}, the scratch table alone ${scratchMib.toFixed(0)}`,
  );
  print(`    ${holds(above <= 200)}: ${above.toFixed(0)} MiB above it, 200 wanted`);
}

if (isWanted("superset")) {
  const report = await measureSuperset(rowCount ?? 10_000_000, rounds ?? 5);
  const { matchCount, sentCount, fetchedCount, tookMs } = report;
  const share = sentCount / matchCount;
  print(`\n  a superset filter on ${report.rowCount} rows, ${matchCount} that pass`);
  print(`  the database read ${fetchedCount} and sent ${sentCount}; ${shownSpread(tookMs)} ms`);
  print(`    ${holds(share <= 2)}: ${share.toFixed(2)} of the rows that pass, 2 wanted`);
}

if (isWanted("three"))
  for (const keptSeconds of [300, 0]) {
    const report = await measureThreeSources(rowCount ?? 3_000_000, rounds ?? 50, keptSeconds);
    const kept = keptSeconds > 0 ? "remembered" : "counted each time";
    print(`\n  one question over three sources, ${report.flightCount} flights, milliseconds`);
    print(`  ${`the whole question, links ${kept}`.padEnd(52)} ${shownSpread(report.whole)}`);
    for (const [name, spread] of Object.entries(report.alone))
      print(`  ${name.padEnd(52)} ${shownSpread(spread)}`);
    const share = `${report.share.toFixed(2)} of the slowest`;
    print(`    ${keptSeconds > 0 ? `${holds(report.share <= 1.5)}: ${share}, 1.5 wanted` : share}`);
  }
