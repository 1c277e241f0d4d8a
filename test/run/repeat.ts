/**
 * `npm run test:repeat -- N pattern …`: runs the test files whose paths match N times, next to two processes that keep
 * processors busy. Each round has processes and a seed of its own. Reports the tests that failed, each with the seeds
 * of its rounds, and ends with a summary and status 1 after a failure.
 * `--changed` stands for the test files that a change touches, `--minutes M` begins no file after so many minutes, and
 * `--deep` is the deep layer.
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

/** Reads the words of the command; a limit is the word after its name. */
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
  write(`${files.length} test files changed since ${base ?? "nothing that is here"}\n`);
  return files;
}

const files = findFiles();
const report = createRepeatReport({ layer, files, roundCount, write });
if (files.length > 0) {
  const firstSeed = seedOf(layer);
  /** SEED repeats one seed in every round. */
  const seedAt = (round: number) => String(firstSeed + (process.env["SEED"] ? 0 : round));
  const late = new AbortController();
  const timer =
    limitMinutes < Infinity ? setTimeout(() => late.abort(), limitMinutes * 60_000) : undefined;
  const run = await openRun({ layer });
  const endBusy = startBusyProcesses(busyCount);
  // Within a limit the cheap ones come first, so that few files are left out.
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
