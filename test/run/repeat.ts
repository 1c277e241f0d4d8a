/**
 * `npm run test:repeat -- N pattern …` runs the test files whose paths match a pattern N times, while two other
 * processes keep the processors busy. Each round uses new processes and a different seed. Reports the failed tests with
 * the seeds of the failed rounds, and exits with status 1 after a failure.
 *
 * - `--changed` runs the test files affected by a change instead of files that match patterns.
 * - `--minutes M` starts no further file after M minutes.
 * - `--deep` runs the deep layer.
 */
import { changedTests } from "./changedTests.ts";
import { findTestFiles } from "./findTestFiles.ts";
import { openRun, testsDir } from "./openRun.ts";
import { createRepeatReport } from "./repeatReport.ts";
import { seedOf } from "./seed.ts";
import { startBusyProcesses } from "./startBusyProcesses.ts";

const busyCount = 2;
const usage =
  "npm run test:repeat -- N pattern … | N --changed, with --minutes M to stop early and --deep for the deep layer";

/** Parses the command line. The value of an option follows its name. */
function readWords(words: readonly string[]) {
  const rest = [...words];
  const at = rest.indexOf("--minutes");
  const [, minutes] = at < 0 ? [] : rest.splice(at, 2);
  const [count, ...patterns] = rest.filter((word) => !word.startsWith("--"));
  const isChanged = rest.includes("--changed");
  const limitMinutes = at < 0 ? Infinity : Number(minutes);
  const isValid = Number.isInteger(Number(count)) && Number(count) > 0 && limitMinutes > 0;
  if (!isValid || isChanged === patterns.length > 0) throw new Error(usage);
  return {
    roundCount: Number(count),
    patterns,
    isChanged,
    limitMinutes,
    layer: rest.includes("--deep") ? ("deep" as const) : ("quick" as const),
  };
}

const { roundCount, patterns, isChanged, limitMinutes, layer } = readWords(process.argv.slice(2));
const write = (text: string) => void process.stdout.write(text);

function findFiles(): readonly string[] {
  if (!isChanged) return findTestFiles(patterns);
  const { base, files } = changedTests(testsDir);
  write(`${files.length} test files changed since ${base ?? "the start of the repository"}\n`);
  return files;
}

const files = findFiles();
const report = createRepeatReport({ layer, files, roundCount, write });
if (files.length > 0) {
  const firstSeed = seedOf(layer);
  /** Returns the seed of a round. If SEED is set, every round uses that seed. */
  const seedAt = (round: number) => String(firstSeed + (process.env["SEED"] ? 0 : round));
  const late = new AbortController();
  const timer =
    limitMinutes < Infinity ? setTimeout(() => late.abort(), limitMinutes * 60_000) : undefined;
  const run = await openRun({ layer });
  const endBusy = startBusyProcesses(busyCount);
  // With a time limit, cheap files run first so that few files are left out.
  const order = files.toSorted(
    (a, b) => ((run.times[a] ?? 0) - (run.times[b] ?? 0)) * (timer ? 1 : -1),
  );
  try {
    for (let round = 0; round < roundCount && !late.signal.aborted; round++) {
      const seed = seedAt(round);
      await run.runFiles({
        files: order,
        seed,
        signal: late.signal,
        onResult: (result) => report.add(result, seed),
      });
      report.endRound(round + 1);
    }
  } finally {
    clearTimeout(timer);
    await endBusy();
    await run.close();
  }
}
if (!report.end()) process.exitCode = 1;
