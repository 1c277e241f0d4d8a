import { fileArrows, importsOf, readSources } from "../support/importGraph.ts";

const layerFile = "test/support/layer.ts";
/** Every file of tests uses it; it reads the layer for its own limit of time. */
const suiteFile = "test/support/suite.ts";

/**
 * Finds the test files that do more in the deep layer: files that ask `support/layer.ts` for their strength, also by
 * what they import, and files that declare a test with `test.deep`. Paths are relative to the folder of tests.
 */
export function filesWithDeep(): ReadonlySet<string> {
  const sources = readSources(["test"]);
  const arrows = fileArrows(importsOf(sources));
  const known = new Map<string, boolean>([
    [layerFile, true],
    [suiteFile, false],
  ]);
  const hasDeep = (file: string): boolean => {
    const found = known.get(file);
    if (found !== undefined) return found;
    // A circle adds nothing.
    known.set(file, false);
    const has =
      /\btest\.deep\b/.test(sources.get(file) ?? "") ||
      [...(arrows.get(file) ?? [])].some((target) => hasDeep(target));
    known.set(file, has);
    return has;
  };
  const files = [...sources.keys()].filter((file) => file.endsWith(".test.ts"));
  return new Set(files.filter(hasDeep).map((file) => file.replace(/^test\//, "")));
}
