import { dirname, posix } from "node:path";
import { fileArrows, importsOf, type Arrows, type Sources } from "../support/importGraph.ts";

export interface TestFilesOptions {
  /** Sources of the product and of the tests. */
  readonly sources: Sources;
  /** Duration of each test file in milliseconds, by its path below `test`. */
  readonly times: Readonly<Record<string, number>>;
  /** Total time in milliseconds that the importers of one source may take, based on the recorded durations. */
  readonly nearMs: number;
}

/** Finds the test files that are near a source. */
export interface TestFiles {
  /** All test files, by their paths below `test`. */
  readonly all: readonly string[];
  /**
   * Returns the mirror of a source, then its importers, sorted by the number of shared folders, the number of imports
   * in between, and duration.
   */
  near(file: string): string[];
}

/** Assumed duration in milliseconds of a file that has not run yet. */
const usualMs = 2_000;
/** More imports than any path has, so that a shared folder counts for more. */
const far = 1_000;

/** Reads all imports once. A test file is near a source if it is near in the tree or connected by few imports. */
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

/** Returns the smallest number of imports from each file to this one. */
function stepsTo(file: string, importers: Arrows): ReadonlyMap<string, number> {
  const steps = new Map([[file, 0]]);
  // Iterating over a Map includes entries added meanwhile.
  for (const [each, count] of steps)
    for (const importer of importers.get(each) ?? [])
      if (!steps.has(importer)) steps.set(importer, count + 1);
  return steps;
}
