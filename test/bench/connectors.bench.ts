/**
 * How much does a connector add to the cost of its database? The bench has five parts: compiling the query of a chart;
 * a pushed query, compared with sending its statement by hand; plain rows of PostgreSQL, compared with a bare cursor
 * loop; the memory used while rows are transferred; and the rows fetched because of a superset filter. Both sides take
 * turns, and the bench compares the answers before it counts any time. The figures are wrong when another process runs;
 * ratios and processor times are affected least.
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
    print(`    ${holds(median <= 0.3)}: at most 0.3 ms`);
  }
}

if (isWanted("pushed")) {
  print("\n  pushed queries, milliseconds                            median       min       max");
  for (const source of Object.keys(pushedSources)) {
    const reports = await measurePushed(source, rowCount ?? 5000, rounds ?? 200);
    for (const [title, { byHand, beyond }] of Object.entries(reports)) {
      print(`  ${`${source}: ${title}, by hand`.padEnd(52)} ${shownSpread(byHand)}`);
      print(`  ${"  additional time of the host".padEnd(52)} ${shownSpread(beyond)}`);
      print(`    ${holds(beyond.median <= 2)}: at most 2 ms`);
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
  print(`\n  ${count} plain rows, peak resident MiB`);
  print(`  through the host ${hostMib.toFixed(0)}, scratch table only ${scratchMib.toFixed(0)}`);
  print(`    ${holds(above <= 200)}: ${above.toFixed(0)} MiB above it, at most 200`);
}

if (isWanted("superset")) {
  const report = await measureSuperset(rowCount ?? 10_000_000, rounds ?? 5);
  const { matchCount, sentCount, fetchedCount, tookMs } = report;
  const share = sentCount / matchCount;
  print(`\n  a superset filter on ${report.rowCount} rows, of which ${matchCount} pass`);
  print(`  the database read ${fetchedCount} and sent ${sentCount}; ${shownSpread(tookMs)} ms`);
  print(`    ${holds(share <= 2)}: ${share.toFixed(2)} times the rows that pass, at most 2`);
}

if (isWanted("three"))
  for (const keptSeconds of [300, 0]) {
    const report = await measureThreeSources(rowCount ?? 3_000_000, rounds ?? 50, keptSeconds);
    const kept = keptSeconds > 0 ? "remembered" : "counted each time";
    print(`\n  one query over three sources, ${report.flightCount} flights, milliseconds`);
    print(`  ${`the whole query, links ${kept}`.padEnd(52)} ${shownSpread(report.whole)}`);
    for (const [name, spread] of Object.entries(report.alone))
      print(`  ${name.padEnd(52)} ${shownSpread(spread)}`);
    const share = `${report.share.toFixed(2)} times the slowest source`;
    print(
      `    ${keptSeconds > 0 ? `${holds(report.share <= 1.5)}: ${share}, at most 1.5` : share}`,
    );
  }
