import { spawnSync } from "node:child_process";
import { findProgram } from "./findProgram.ts";
import type { SuiteOptions } from "./suite.ts";

const program = findProgram("promtool");

/** Options for a suite that needs promtool. Without the program, all tests are skipped and the report says why. */
export const needsPromtool: SuiteOptions =
  program === undefined
    ? { missing: "promtool (apt-get install --no-install-recommends prometheus, or PROMTOOL)" }
    : {};

/** Runs promtool in a folder. Returns whether it succeeded, and its output. */
export function runPromtool(
  folder: string,
  ...words: readonly string[]
): { readonly hasSucceeded: boolean; readonly output: string } {
  if (program === undefined) throw new Error("promtool is not installed");
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000,
  });
  if (error) throw error;
  return { hasSucceeded: status === 0, output: stdout + stderr };
}
