import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileArrows, importsOf, readSources, type Sources } from "../support/importGraph.ts";

export interface ChangedTests {
  /** The commit with which HEAD is compared; undefined when there is none before it. */
  readonly base: string | undefined;
  /** Test files that the change touches, relative to the folder of tests. */
  readonly files: readonly string[];
}

/**
 * Finds the test files that a change touches: it adds or edits the file, or a helper of the tests that the file
 * imports. Moving a file does not touch it. The change has the commits of HEAD that the main branch lacks or, where
 * HEAD is on that branch, the last commit. `sources` are the files below the folder of tests, by path from its parent.
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
      // There is no such branch or commit.
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

/** Adds the files that import one of them, through others too. */
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
