import { dirname, posix } from "node:path";
import { fileArrows, importsOf, type Arrows, type Sources } from "../support/importGraph.ts";

export interface TestFilesOptions {
  /** Sources of the product and the tests. */
  readonly sources: Sources;
  /** Duration of each test file in milliseconds, keyed by its path below `test`. */
  readonly times: Readonly<Record<string, number>>;
  /** Maximum total time in milliseconds of the test files that import a source, based on recorded durations. */
  readonly nearMs: number;
}

/** Finds the nearest test files of a source. */
export interface TestFiles {
  /** Paths of all test files below `test`. */
  readonly all: readonly string[];
  /**
   * Returns the test file in the same folder, then the test files that import the source. Importers are sorted by the
   * number of shared folders, the number of imports in between, and their duration.
   */
  near(file: string): string[];
}

/** Assumed duration in milliseconds of a test file that has not run yet. */
const usualMs = 2_000;
/**
 * The weight of a shared folder. It exceeds the number of imports on any path, so that a shared folder outweighs all
 * imports.
 */
const far = 1_000;

/**
 * Reads all imports once. A test file is near a source if the two are near in the tree, or are connected by few
 * imports.
 */
export function testFilesFor({ sources, times, nearMs }: TestFilesOptions): TestFiles {
  const importers = reversed(fileArrows(importsOf(sources)));
  const msOf = (file: string) => times[file] ?? usualMs;
  const all = [...sources.keys()]
    .filter((file) => file.startsWith("test/") && file.endsWith(".test.ts"))
    .map((file) => posix.relative("test", file))
    .toSorted((a, b) => msOf(a) - msOf(b));
  return {
    all,
    near(file) {
      const steps = stepsTo(file, importers);
      const mirror = file.replace(/\.ts$/, ".test.ts");
      const distance = (each: string) =>
        (steps.get(`test/${each}`) ?? 0) - sharedFolders(file, each) * far;
      let sumMs = 0;
      const others = all
        .filter((each) => each !== mirror && steps.has(`test/${each}`))
        .toSorted((a, b) => distance(a) - distance(b) || msOf(a) - msOf(b))
        .filter((each) => (sumMs += msOf(each)) <= nearMs);
      return [...all.filter((each) => each === mirror), ...others];
    },
  };
}

function sharedFolders(a: string, b: string): number {
  const folders = dirname(a).split("/");
  const others = dirname(b).split("/");
  const differing = folders.findIndex((folder, depth) => folder !== others[depth]);
  return differing < 0 ? folders.length : differing;
}

function reversed(arrows: Arrows): Arrows {
  const back = new Map<string, Set<string>>();
  for (const [from, targets] of arrows)
    for (const to of targets) back.set(to, (back.get(to) ?? new Set()).add(from));
  return back;
}

/** Returns, for each file, the smallest number of imports that lead from that file to the given file. */
function stepsTo(file: string, importers: Arrows): ReadonlyMap<string, number> {
  const steps = new Map([[file, 0]]);
  // Iterating over a Map includes entries that are added meanwhile.
  for (const [each, count] of steps)
    for (const importer of importers.get(each) ?? [])
      if (!steps.has(importer)) steps.set(importer, count + 1);
  return steps;
}
