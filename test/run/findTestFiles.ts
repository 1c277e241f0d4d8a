import { readdirSync } from "node:fs";
import { testsDir } from "./openRun.ts";

/**
 * Finds the test files whose paths, relative to the folder of tests, match one of the patterns; all without a pattern.
 * @throws {Error} when none does
 */
export function findTestFiles(patterns: readonly string[]): string[] {
  const expressions = patterns.map((pattern) => new RegExp(pattern));
  const files = readdirSync(testsDir, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
    .filter((file) => expressions.length === 0 || expressions.some((each) => each.test(file)));
  if (files.length === 0) throw new Error("no test file matches");
  return files;
}
