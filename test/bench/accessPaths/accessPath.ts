import type { Plan } from "../../../engine/index.ts";

/** A choice that the engine makes row group by row group, and the questions that show what it gains. */
export interface AccessPath {
  readonly name: string;
  /** The file that chooses it, below `engine/operators`. */
  readonly file: string;
  /** A passage that occurs once in the file. The expression in double brackets is true where the path is chosen. */
  readonly choice: string;
  /** Replaces the expression where the path is switched off; `false` when absent. */
  readonly without?: string;
  readonly questions: readonly Question[];
}

export interface Question {
  readonly title: string;
  readonly plan: Omit<Plan, "table" | "grouped">;
}

/**
 * Rewrites the source that chooses a path, so that `globalThis.accessPaths` can switch it off and counts its choices.
 * @throws {Error} when the passage does not occur once
 */
export function makeSwitchable(source: string, path: AccessPath, index: number): string {
  const [before, expression, after] = path.choice.split(/\[\[|\]\]/);
  const parts = source.split(`${before}${expression}${after}`);
  if (parts.length !== 2) throw new Error(`${path.file} does not choose ${path.name} in one place`);
  const off = `globalThis.accessPaths.isOff(${index})`;
  const chosen = `globalThis.accessPaths.chosen(${index}, ${expression})`;
  return parts.join(`${before}(${off} ? ${path.without ?? "false"} : ${chosen})${after}`);
}
