/**
 * `npm test [-- pattern …]` runs the test files whose paths match a pattern, or all test files. `npm run test:deep`
 * runs them in the deep layer (`--deep`). When a process has finished a file, it takes the next file. The slowest files
 * of the last run start first.
 *
 * - `--deep --rest` skips files and tests that do the same work in both layers. Use it after a quick run.
 * - `--soak` runs the deep layer, with as many rounds per file as a soak test needs.
 * - `--slowest` also lists the most expensive files.
 * - `--bail` uses one process and runs files in the order of the patterns. It prints the name of each file before the
 * file runs, and stops at the first failure.
 *
 * Prints one line per file. Failures are printed immediately and again at the end.
 */
import { filesWithDeep } from "./filesWithDeep.ts";
import { findTestFiles } from "./findTestFiles.ts";
import { openRun } from "./openRun.ts";
import { processorTimeMs } from "./processorTime.ts";
import { createReport } from "./report.ts";
import { seedOf } from "./seed.ts";
import { watchServers } from "./watchServers.ts";

const given = process.argv.slice(2);
const isSoak = given.includes("--soak");
const isBailing = given.includes("--bail");
const layer = isSoak || given.includes("--deep") ? "deep" : "quick";
const patterns = given.filter((argument) => !argument.startsWith("--"));
const matching = findTestFiles(patterns);
const withDeep = given.includes("--rest") ? filesWithDeep() : undefined;
const files = withDeep ? matching.filter((file) => withDeep.has(file)) : matching;

/**
 * The slowest files, slowest first. If there are no recorded durations, as in a clean checkout, a run starts with these
 * files.
 */
const longest = [
  "core/cli/main",
  "core/jobs/alerts/alertActions",
  "core/operating/transfer/applyFolder",
  "connectors/mysql/faults",
  "connectors/postgres/faults",
  "connectors/sqlite/faults",
  "core/sources/connections/plugins",
  "core/jobs/backtest/backtest",
  "core/queries/oracle/faults",
  "core/resources/tenancy",
  "core/catalog/postgres/embeddedPostgres",
  "plugins/conformance/checkPlugin",
  "core/resources/malformed",
  "engine/store/changes/fillTable",
  "engine/store/compaction",
  "core/queries/plan/liars",
  "connectors/clickhouse/faults",
  "examples/demo",
  "core/operating/authoring/runPluginCommand",
  "engine/pool/pool",
  "engine/store/warm",
  "package",
].map((name) => `${name}.test.ts`);

const seed = String(seedOf(layer));
process.stdout.write(`SEED=${seed}, ${layer} layer\n`);
if (files.length < matching.length)
  process.stdout.write(
    `${matching.length - files.length} files are left out because they are the same in both layers\n`,
  );

const run = await openRun({ layer, isSoak });

/**
 * Returns the sort key of a file, which is its recorded duration. Files without a recorded duration are among the
 * first.
 */
function hintOf(file: string): number {
  const place = longest.indexOf(file);
  return (
    run.times[file] ?? (place >= 0 ? 1e9 - place : Object.keys(run.times).length > 0 ? 1e8 : 0)
  );
}

/** Returns the index of the first pattern that matches the file. */
function placeOf(file: string): number {
  return patterns.findIndex((pattern) => new RegExp(pattern).test(file));
}

const firstFailure = new AbortController();
const watch = given.includes("--slowest") ? watchServers() : undefined;
const report = createReport({ layer, write: (text) => void process.stdout.write(text) });
let serversMs: ReadonlyMap<string, number>;
try {
  await run.runFiles({
    files: files.toSorted((a, b) =>
      isBailing ? placeOf(a) - placeOf(b) || hintOf(a) - hintOf(b) : hintOf(b) - hintOf(a),
    ),
    seed,
    ...(isBailing && {
      processCount: 1,
      signal: firstFailure.signal,
      onBegin: (file: string) => void process.stdout.write(`… ${file}\n`),
    }),
    ...(withDeep && { isOnlyDeep: (file: string) => withDeep.get(file) === "deepTests" }),
    ...(watch && { onBegin: watch.begin, onUse: watch.use }),
    onResult(result) {
      watch?.end(result.file);
      if (result.passedCount < result.totalCount) firstFailure.abort();
      report.add(result);
    },
  });
} finally {
  watch?.stop();
  serversMs = await run.close();
}
run.keepTimes();
const isGood = report.end(processorTimeMs(), serversMs, watch && { serverMs: watch.msByFile });
if (!isGood) process.exitCode = 1;
