import { fileArrows, importsOf, readSources } from "../support/importGraph.ts";

const layerFile = "test/support/layer.ts";
/**
 * The module that every test file imports. The module uses the layer only for its time limit, so a file that imports it
 * does not necessarily do more in the deep layer.
 */
const suiteFile = "test/support/suite.ts";

/**
 * Finds the test files that do more in the deep layer. These are the files that use `support/layer.ts`, directly or
 * through an import, and the files that declare a test with `test.deep`. Paths are relative to the test folder.
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
    // A file in an import cycle adds nothing when it is visited again.
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
