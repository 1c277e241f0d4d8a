import { commandOf, findFailures } from "./findFailures.ts";
import type { FileResult } from "./runFiles.ts";

export interface ReportOptions {
  readonly layer: "quick" | "deep";
  write(text: string): void;
}

/** Prints the progress of a run, and its summary. */
export interface Report {
  add(result: FileResult): void;
  /**
   * Prints the counts and each failure once more. Returns false when a test failed, or none ran. `allMs` is the
   * processor time of the whole run, with the servers that files share; `serversMs` is that time of each server.
   */
  end(allMs: number, serversMs?: ReadonlyMap<string, number>, slowest?: Slowest): boolean;
}

/** Asks a report for the files that cost most. */
export interface Slowest {
  /** The share of each file in the time of the servers, in milliseconds; undefined where it is not known. */
  readonly serverMs: ReadonlyMap<string, number> | undefined;
}

const slowestCount = 20;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/**
 * Makes a report: a line a file with its wall time and its processor time, the output of failed files, and at the end
 * each failure again with the commands that run its tests alone, with their seed. The deep layer names the tests that
 * only it runs.
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
      `The ${slowestCount} files with most processor time: their process, and what it started and ended.`,
      processorMsByFile,
    );
    if (!serverMs) return void write("\nThis system does not show the time of servers by file.\n");
    writeList(
      `The ${slowestCount} files with most time of shared servers. A session of PostgreSQL counts for the file of its\n` +
        "database. The rest of a server's time is shared by the files that used it and ran meanwhile.",
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
        notRun.push(`${file}: ${skippedCount} skipped, without ${missing}`);
      const count = `${passedCount} / ${totalCount}`;
      const isWhole = passedCount === totalCount && totalCount + skippedCount > 0;
      const mark = isWhole ? " " : "✘";
      const times = [durationMs, result.processorMs].map((ms) => seconds(ms).padStart(9)).join("");
      write(`${mark} ${file.padEnd(76)} ${count.padStart(11)}${times}\n`);
      if (isWhole) return;
      failed.push(result);
      show(result);
    },
    end(allMs, serversMs = new Map(), slowest = undefined) {
      if (layer === "deep" && deepTitles.length > 0)
        write(`\nIn this layer only:\n${deepTitles.map((title) => `  ${title}\n`).join("")}`);
      if (notRun.length > 0)
        write(`\nDid not run:\n${notRun.map((line) => `  ${line}\n`).join("")}`);
      if (slowest) writeSlowest(slowest);
      for (const result of failed) show(result);
      write(`\n  Total:     ${total}\n  Passed:    ${passed}\n  Skipped:   ${skipped}\n`);
      write(`  Duration:  ${seconds(performance.now() - startedAt)}\n`);
      const ofServers = `${seconds(Math.max(0, allMs - processorMs))} more for shared servers and processes`;
      write(`  Processor: ${seconds(processorMs)}, ${ofServers}\n`);
      for (const [name, ms] of serversMs) write(`             ${seconds(ms)} of it ${name}\n`);
      write("\n");
      if (layer === "quick" && deepTitles.length > 0)
        write(`${deepTitles.length} tests run in the deep layer only: npm run test:deep\n`);
      write(`${passed} passed, ${total - passed} failed, ${skipped} skipped\n`);
      return total > 0 && failed.length === 0;
    },
  };
}

/** The output of a file from its first failure on; all of it when it ended without one. */
function failuresOf(output: string): string {
  const at = output.search(/^.* FAIL /m);
  return (at < 0 ? output : output.slice(at)).trimEnd();
}
