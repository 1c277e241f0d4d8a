import { readdirSync } from "node:fs";
import { testsDir } from "./openRun.ts";

/**
 * Finds the test files whose paths match a pattern. Paths are relative to the test folder. Without patterns, returns
 * all test files.
 * @throws {Error} if no file matches
 */
export function findTestFiles(patterns: readonly string[]): string[] {
  const expressions = patterns.map((pattern) => new RegExp(pattern));
  const files = readdirSync(testsDir, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
    .filter((file) => expressions.length === 0 || expressions.some((each) => each.test(file)));
  if (files.length === 0) throw new Error("no test file matches");
  return files;
}
