import type { Plan } from "../../../engine/index.ts";

/** A decision that the engine makes for each row group, and queries that show how much it gains. */
export interface AccessPath {
  readonly name: string;
  /** The file that makes the decision, relative to `engine/operators`. */
  readonly file: string;
  /**
   * A passage that occurs exactly once in the file. The expression in double brackets is true when the path is chosen.
   */
  readonly choice: string;
  /** Replaces the expression when the path is switched off. The default is `false`. */
  readonly without?: string;
  readonly questions: readonly Question[];
}

export interface Question {
  readonly title: string;
  readonly plan: Omit<Plan, "table" | "grouped">;
}

/**
 * Rewrites the source that chooses a path so that `globalThis.accessPaths` can switch it off and count its uses.
 * @throws {Error} when the passage does not occur exactly once
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
