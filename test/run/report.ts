import type { FileResult } from "./runFiles.ts";

/** Prints the progress of a run, and its summary. */
export interface Report {
  add(result: FileResult): void;
  /** Prints the counts and each failure once more. Returns false when a test failed, or none ran. */
  end(): boolean;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Makes a report: a line a file, what failed files wrote, and at the end each failure with the command that runs its file alone. */
export function createReport(write: (text: string) => void): Report {
  const failed: FileResult[] = [];
  const startedAt = performance.now();
  let total = 0;
  let passed = 0;
  let skipped = 0;
  const show = ({ file, output }: FileResult) =>
    write(`\n${file}   npm test -- ${patternOf(file)}\n${failuresOf(output)}\n`);
  return {
    add(result) {
      const { file, totalCount, passedCount, skippedCount, durationMs } = result;
      total += totalCount;
      passed += passedCount;
      skipped += skippedCount;
      const count = `${passedCount} / ${totalCount}`;
      const isWhole = passedCount === totalCount && totalCount > 0;
      write(
        `${isWhole ? "  " : "✘ "}${file.padEnd(76)} ${count.padStart(11)} ${seconds(durationMs).padStart(9)}\n`,
      );
      if (isWhole) return;
      failed.push(result);
      show(result);
    },
    end() {
      for (const result of failed) show(result);
      write(`\n  Total:     ${total}\n  Passed:    ${passed}\n  Skipped:   ${skipped}\n`);
      write(`  Duration:  ${seconds(performance.now() - startedAt)}\n\n`);
      write(`${passed} passed, ${total - passed} failed, ${skipped} skipped\n`);
      return total > 0 && failed.length === 0;
    },
  };
}

const patternOf = (file: string) => file.replace(/\.test\.ts$/, "").replaceAll(".", "\\.");

/** What a file wrote from its first failure on; all of it when it ended without one. */
function failuresOf(output: string): string {
  const at = output.search(/^.* FAIL /m);
  return (at < 0 ? output : output.slice(at)).trimEnd();
}
