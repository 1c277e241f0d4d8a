import { spawnSync } from "node:child_process";
import { findProgram } from "./findProgram.ts";
import type { SuiteOptions } from "./suite.ts";

const program = findProgram("promtool");

/** Options of a suite that needs promtool: without it every test is skipped, and the run says so. */
export const needsPromtool: SuiteOptions =
  program === undefined
    ? { missing: "promtool (apt-get install --no-install-recommends prometheus, or PROMTOOL)" }
    : {};

/** Runs promtool in a folder; answers whether it succeeded, and all that it wrote. */
export function runPromtool(
  folder: string,
  ...words: readonly string[]
): { readonly hasSucceeded: boolean; readonly output: string } {
  if (program === undefined) throw new Error("there is no promtool here");
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000,
  });
  if (error) throw error;
  return { hasSucceeded: status === 0, output: stdout + stderr };
}
