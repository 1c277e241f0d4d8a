import { commandOf, findFailures } from "./findFailures.ts";
import type { FileResult } from "./runFiles.ts";

export interface RepeatReportOptions {
  readonly layer: "quick" | "deep";
  readonly files: readonly string[];
  readonly roundCount: number;
  write(text: string): void;
}

/** Collects the results of all rounds and prints the failed tests. */
export interface RepeatReport {
  add(result: FileResult, seed: string): void;
  /** Prints the progress after a round. */
  endRound(round: number): void;
  /** Prints each failed test, the files that were left out, and a summary. Returns false if a test failed. */
  end(): boolean;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

interface FailedTest {
  readonly file: string;
  readonly title: string | undefined;
  readonly seeds: string[];
  /** Output of the test's first failure. */
  readonly text: string;
}

export function createRepeatReport(options: RepeatReportOptions): RepeatReport {
  const { layer, files, roundCount, write } = options;
  const runCounts = new Map(files.map((file) => [file, 0]));
  const failed = new Map<string, FailedTest>();
  let failedRuns = 0;
  let testCount = 0;
  return {
    add(result, seed) {
      const { file, output, passedCount, totalCount, skippedCount } = result;
      runCounts.set(file, (runCounts.get(file) ?? 0) + 1);
      testCount += totalCount;
      if (passedCount === totalCount && totalCount + skippedCount > 0) return;
      failedRuns++;
      for (const { title, seed: own = seed, text } of findFailures(output)) {
        const key = `${file}\n${title ?? ""}`;
        const known = failed.get(key);
        if (known) known.seeds.push(own);
        else failed.set(key, { file, title, seeds: [own], text });
        write(`✘ ${file}: ${title ?? "outside a test"}, SEED=${own}\n`);
      }
    },
    endRound: (round) =>
      write(`round ${round} of ${roundCount}: ${counted(failedRuns, "run")} failed so far\n`),
    end() {
      for (const { file, title, seeds, text } of failed.values()) {
        const [seed] = seeds;
        const count = `${seeds.length} of ${runCounts.get(file) ?? 0} runs failed`;
        write(`\n${file}: ${title ?? "outside a test"}\n   ${count}: SEED=${seeds.join(", ")}\n`);
        write(`   ${commandOf(file, { title, seed }, layer)}\n${text}\n`);
      }
      const leftOut = [...runCounts].filter(([, count]) => count < roundCount);
      if (leftOut.length > 0) write("\nNot run because time ran out:\n");
      for (const [file, count] of leftOut)
        write(`  ${roundCount - count} of ${roundCount} runs of ${file}\n`);
      const runCount = [...runCounts.values()].reduce((sum, count) => sum + count, 0);
      write(
        `\n${counted(files.length, "file")}, ${counted(runCount, "run")}, ${counted(testCount, "test")}: ` +
          `${counted(failedRuns, "run")} failed in ${counted(failed.size, "test")}\n`,
      );
      return failedRuns === 0;
    },
  };
}
