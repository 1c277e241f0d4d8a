import { stripVTControlCharacters } from "node:util";
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
  end(allMs: number, serversMs?: ReadonlyMap<string, number>): boolean;
}

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
  const startedAt = performance.now();
  let total = 0;
  let passed = 0;
  let skipped = 0;
  let processorMs = 0;
  const show = ({ file, output }: FileResult) => {
    const failures = failuresOf(output);
    const commands = commandsOf(file, failures, layer).map((command) => `   ${command}\n`);
    write(`\n${file}\n${commands.join("")}${failures}\n`);
  };
  return {
    add(result) {
      const { file, totalCount, passedCount, skippedCount, durationMs } = result;
      total += totalCount;
      passed += passedCount;
      skipped += skippedCount;
      processorMs += result.processorMs;
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
    end(allMs, serversMs = new Map()) {
      if (layer === "deep" && deepTitles.length > 0)
        write(`\nIn this layer only:\n${deepTitles.map((title) => `  ${title}\n`).join("")}`);
      if (notRun.length > 0)
        write(`\nDid not run:\n${notRun.map((line) => `  ${line}\n`).join("")}`);
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

/**
 * Returns a command for each failed test of a file, with the seed that it printed; one for the file without a title.
 */
function commandsOf(file: string, failures: string, layer: ReportOptions["layer"]): string[] {
  const plain = stripVTControlCharacters(failures);
  const script = layer === "deep" ? "npm run test:deep" : "npm test";
  const run = `${script} -- ${file.replace(/\.test\.ts$/, "").replaceAll(".", "\\.")}`;
  const commands = plain.split(/^(?=.* FAIL )/m).map((failure) => {
    const title = /FAIL .*?"([^"]+)"\n/.exec(failure)?.[1];
    const seed = /SEED=(\d+)/.exec(failure)?.[1];
    const variables = [
      ...(seed === undefined ? [] : [`SEED=${seed}`]),
      ...(title === undefined ? [] : [`TITLE='${title.replaceAll("'", "'\\''")}'`]),
    ];
    return [...variables, run].join(" ");
  });
  return [...new Set(commands)];
}

/** The output of a file from its first failure on; all of it when it ended without one. */
function failuresOf(output: string): string {
  const at = output.search(/^.* FAIL /m);
  return (at < 0 ? output : output.slice(at)).trimEnd();
}
