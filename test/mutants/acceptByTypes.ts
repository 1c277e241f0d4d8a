import { spawnSync } from "node:child_process";
import type { Mutant } from "./mutant.ts";
import type { Scratch } from "./openScratch.ts";

/** The location of a compiler error. */
export interface TypeFault {
  readonly file: string;
  readonly line: number;
}

/** Applies all mutants to the tree together. Returns the mutants that the compiler accepts. */
export function acceptByTypes(scratch: Scratch, mutants: readonly Mutant[]): readonly Mutant[] {
  let left = mutants;
  for (;;) {
    scratch.apply(left);
    const refused = refusedBy(checkTypes(scratch.path), left);
    if (refused.size === 0) break;
    left = left.filter((mutant) => !refused.has(mutant));
  }
  scratch.apply([]);
  return left;
}

/**
 * Returns the mutants that cause the compiler's errors. The cause of an error is the last mutant of the file that
 * starts at or before the error's line. If there is none, it is the first mutant of the file.
 */
export function refusedBy(
  faults: readonly TypeFault[],
  mutants: readonly Mutant[],
): ReadonlySet<Mutant> {
  const refused = new Set<Mutant>();
  for (const { file, line } of faults) {
    const ofFile = mutants
      .filter((mutant) => mutant.file === file)
      .toSorted((a, b) => a.start - b.start);
    const cause = ofFile.findLast((mutant) => mutant.line <= line) ?? ofFile[0];
    if (cause) refused.add(cause);
  }
  return refused;
}

function checkTypes(path: string): TypeFault[] {
  const { stdout } = spawnSync(
    process.execPath,
    ["node_modules/.bin/tsc", "-b", "engine", ".", "--checkers", "1", "--pretty", "false"],
    { cwd: path, encoding: "utf8", maxBuffer: 2 ** 26 },
  );
  return [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error /gm)].map(([, file = "", line]) => ({
    file,
    line: Number(line),
  }));
}
