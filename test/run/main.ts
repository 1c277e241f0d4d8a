/**
 * `npm test [-- pattern …]`: runs the test files whose paths match, all without one, in as many processes as there are processors. Each process takes
 * the next file when it has done one; files that took longest the last time come first. A line a file, failures whole and once more at the end.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createReport } from "./report.ts";
import { runFiles } from "./runFiles.ts";

const root = join(import.meta.dirname, "..");
const patterns = process.argv.slice(2).map((pattern) => new RegExp(pattern));
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => patterns.length === 0 || patterns.some((pattern) => pattern.test(file)));
if (files.length === 0) throw new Error("no test file matches");

/** Milliseconds that each file took the last time, as a hint for the order. */
const cacheDir = join(root, "../node_modules/.cache");
const timesFile = join(cacheDir, "manifold-tests.json");
const times = readTimes();

function readTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(timesFile, "utf8")) as Record<string, number>;
  } catch {
    // The first run, or a cache that was cut off: the order is a hint.
    return {};
  }
}

const report = createReport((text) => void process.stdout.write(text));
await runFiles({
  root,
  files: files.toSorted((a, b) => (times[b] ?? Infinity) - (times[a] ?? Infinity)),
  processCount: Math.min(availableParallelism(), files.length),
  onResult(result) {
    times[result.file] = Math.round(result.durationMs);
    report.add(result);
  },
});
mkdirSync(cacheDir, { recursive: true });
writeFileSync(timesFile, JSON.stringify(times));
if (!report.end()) process.exitCode = 1;
