import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileArrows, importsOf, readSources, type Sources } from "../support/importGraph.ts";

export interface ChangedTests {
  /** The commit with which HEAD is compared, or undefined if HEAD is the first commit. */
  readonly base: string | undefined;
  /** Changed test files, relative to the test folder. */
  readonly files: readonly string[];
}

/**
 * Finds the test files affected by a change: files that it adds or edits, and files that import a changed helper of the
 * tests. Moving a file does not count as a change. The change consists of all commits of HEAD that the main branch does
 * not contain. If HEAD is on the main branch, the change is the last commit. `sources` are the files in the test
 * folder, keyed by their path relative to the parent of that folder.
 */
export function changedTests(
  testsDir: string,
  sources: Sources = readSources(["test"]),
): ChangedTests {
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-C", testsDir, ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  const commitOf = (...words: readonly string[]): string | undefined => {
    try {
      return git(...words) || undefined;
    } catch {
      // The branch or commit does not exist.
      return undefined;
    }
  };
  const head = commitOf("rev-parse", "HEAD");
  const fork =
    commitOf("merge-base", "HEAD", "origin/main") ?? commitOf("merge-base", "HEAD", "main");
  const base =
    fork !== undefined && fork !== head ? fork : commitOf("rev-parse", "--verify", "HEAD^");
  if (base === undefined) return { base, files: [] };
  const top = git("rev-parse", "--show-toplevel");
  const changed = git("diff", "--name-status", "-M", "--diff-filter=AMR", base, "HEAD", "--", ".")
    .split("\n")
    .map((line) => line.split("\t"))
    .filter(([status]) => status !== "" && status !== "R100")
    .map((fields) =>
      relative(testsDir, join(top, fields.at(-1) ?? ""))
        .split(sep)
        .join("/"),
    )
    .filter((file) => existsSync(join(testsDir, file)));
  return {
    base,
    files: [...withImporters(changed, sources)].filter((file) => file.endsWith(".test.ts")),
  };
}

/** Adds the files that import a changed file, directly or through other files. */
function withImporters(changed: readonly string[], sources: Sources): ReadonlySet<string> {
  const found = new Set(changed);
  const arrows = [...fileArrows(importsOf(sources))];
  const paths = new Set(changed.map((file) => `test/${file}`));
  for (let before = 0; before < paths.size;) {
    before = paths.size;
    for (const [file, targets] of arrows)
      if ([...targets].some((target) => paths.has(target))) paths.add(file);
  }
  for (const path of paths) found.add(path.replace(/^test\//, ""));
  return found;
}
