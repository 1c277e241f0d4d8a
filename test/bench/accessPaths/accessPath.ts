import type { Plan } from "../../../engine/index.ts";

/**
 * A decision that the engine makes for a plan or for each row group, and queries that show how much time the decision
 * saves.
 */
export interface AccessPath {
  readonly name: string;
  /** The file that contains the decision, relative to `engine/operators`. */
  readonly file: string;
  /**
   * Source code that occurs exactly once in the file. Double brackets mark an expression in it, which is true if the
   * path is chosen.
   */
  readonly choice: string;
  /** The expression that replaces the expression in brackets when the path is switched off. The default is `false`. */
  readonly without?: string;
  readonly questions: readonly Question[];
}

export interface Question {
  readonly title: string;
  readonly plan: Omit<Plan, "table" | "grouped">;
}

/**
 * Rewrites the source code that chooses a path. `globalThis.accessPaths` can then switch the path off, and counts how
 * often it was chosen.
 * @throws {Error} if `choice` does not occur exactly once
 */
export function makeSwitchable(source: string, path: AccessPath, index: number): string {
  const [before, expression, after] = path.choice.split(/\[\[|\]\]/);
  const parts = source.split(`${before}${expression}${after}`);
  if (parts.length !== 2)
    throw new Error(`${path.file} does not choose ${path.name} in exactly one place`);
  const off = `globalThis.accessPaths.isOff(${index})`;
  const chosen = `globalThis.accessPaths.chosen(${index}, ${expression})`;
  return parts.join(`${before}(${off} ? ${path.without ?? "false"} : ${chosen})${after}`);
}
