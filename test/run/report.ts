import { commandOf, findFailures } from "./findFailures.ts";
import type { FileResult } from "./runFiles.ts";

export interface ReportOptions {
  readonly layer: "quick" | "deep";
  write(text: string): void;
}

/** Prints the progress and the summary of a run. */
export interface Report {
  add(result: FileResult): void;
  /**
   * Prints the counts, and each failure again. Returns false if a test failed or no test ran. `allMs` is the processor
   * time of the whole run, including shared servers. `serversMs` contains the processor time of each server.
   */
  end(allMs: number, serversMs?: ReadonlyMap<string, number>, slowest?: Slowest): boolean;
}

/** Data for the list of the most expensive files. */
export interface Slowest {
  /** The processor time of servers, in milliseconds, that is charged to each file. Undefined if it is not known. */
  readonly serverMs: ReadonlyMap<string, number> | undefined;
}

const slowestCount = 20;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/**
 * Returns a report that prints one line per file with its wall time and processor time, and the output of failed files.
 * At the end it prints each failure again, with a command that reruns the failed test with its seed. In the deep layer,
 * it also lists the tests that run only there.
 */
export function createReport({ layer, write }: ReportOptions): Report {
  const failed: FileResult[] = [];
  const deepTitles: string[] = [];
  const notRun: string[] = [];
  const processorMsByFile = new Map<string, number>();
  const startedAt = performance.now();
  let total = 0;
  let passed = 0;
  let skipped = 0;
  let processorMs = 0;
  const show = ({ file, output }: FileResult) => {
    const failures = failuresOf(output);
    const lines = findFailures(failures).map(
      (failure) => `   ${commandOf(file, failure, layer)}\n`,
    );
    const commands = [...new Set(lines)];
    write(`\n${file}\n${commands.join("")}${failures}\n`);
  };
  const writeList = (head: string, msByFile: ReadonlyMap<string, number>) => {
    const files = [...msByFile].toSorted(([, a], [, b]) => b - a).slice(0, slowestCount);
    const lines = files.map(([file, ms]) => `${seconds(ms).padStart(9)}  ${file}\n`);
    write(`\n${head}\n${lines.join("")}`);
  };
  const writeSlowest = ({ serverMs }: Slowest) => {
    writeList(
      `The ${slowestCount} files that used the most processor time (their process and ended child processes):`,
      processorMsByFile,
    );
    if (!serverMs) return void write("\nThis system does not report server time per file.\n");
    writeList(
      `The ${slowestCount} files that used the most time of shared servers. A PostgreSQL session is charged to the file that\n` +
        "opened its database. Other server time is divided among the running files that use the server:",
      serverMs,
    );
  };
  return {
    add(result) {
      const { file, totalCount, passedCount, skippedCount, durationMs } = result;
      total += totalCount;
      passed += passedCount;
      skipped += skippedCount;
      processorMs += result.processorMs;
      processorMsByFile.set(file, result.processorMs);
      deepTitles.push(...result.deepTitles);
      for (const missing of result.missing)
        notRun.push(`${file}: ${skippedCount} skipped; needs ${missing}`);
      const count = `${passedCount} / ${totalCount}`;
      const mayBeEmpty = result.isOnlyDeep === true;
      const isWhole = passedCount === totalCount && (totalCount + skippedCount > 0 || mayBeEmpty);
      const mark = isWhole ? " " : "✘";
      const times = [durationMs, result.processorMs].map((ms) => seconds(ms).padStart(9)).join("");
      write(`${mark} ${file.padEnd(76)} ${count.padStart(11)}${times}\n`);
      if (isWhole) return;
      failed.push(result);
      show(result);
    },
    end(allMs, serversMs = new Map(), slowest = undefined) {
      if (layer === "deep" && deepTitles.length > 0)
        write(`\nOnly in this layer:\n${deepTitles.map((title) => `  ${title}\n`).join("")}`);
      if (notRun.length > 0) write(`\nSkipped:\n${notRun.map((line) => `  ${line}\n`).join("")}`);
      if (slowest) writeSlowest(slowest);
      for (const result of failed) show(result);
      write(`\n  Total:     ${total}\n  Passed:    ${passed}\n  Skipped:   ${skipped}\n`);
      write(`  Duration:  ${seconds(performance.now() - startedAt)}\n`);
      const ofServers = `plus ${seconds(Math.max(0, allMs - processorMs))} for shared servers and processes`;
      write(`  Processor: ${seconds(processorMs)}, ${ofServers}\n`);
      for (const [name, ms] of serversMs)
        write(`${" ".repeat(13)}of which ${name}: ${seconds(ms)}\n`);
      write("\n");
      if (layer === "quick" && deepTitles.length > 0)
        write(`${deepTitles.length} tests run only in the deep layer: npm run test:deep\n`);
      write(`${passed} passed, ${total - passed} failed, ${skipped} skipped\n`);
      return total > 0 && failed.length === 0;
    },
  };
}

/** Returns a file's output from the first failure on, or the whole output if it contains no failure. */
function failuresOf(output: string): string {
  const at = output.search(/^.* FAIL /m);
  return (at < 0 ? output : output.slice(at)).trimEnd();
}
