import { fileArrows, importsOf, readSources } from "../support/importGraph.ts";

/**
 * What a test file does only in the deep layer. `all`: any of its tests may do more there. `deepTests`: only the tests
 * that it declares with `test.deep` do more.
 */
export type DeepWork = "all" | "deepTests";

/**
 * The modules that every test file imports. They use the layer only for time limits and to skip deep tests, so a file
 * that imports them does not necessarily do more in the deep layer.
 */
const ownFiles = new Set(["test/support/layer.ts", "test/support/suite.ts"]);

/** Matches the import of a value that depends on the layer. */
const usesLayer = /import \{[^}]*\b(?:layer|rounds)\b[^}]*\} from "[^"]*\/layer\.ts"/;

/**
 * Finds the test files that do more in the deep layer, and what they do. Tests of a file depend on the layer if the
 * file or one of its imports uses the layer or its rounds. Paths are relative to the test folder.
 */
export function filesWithDeep(): ReadonlyMap<string, DeepWork> {
  const sources = readSources(["test"]);
  const arrows = fileArrows(importsOf(sources));
  const known = new Map<string, DeepWork | undefined>();
  const workOf = (file: string): DeepWork | undefined => {
    if (known.has(file) || ownFiles.has(file)) return known.get(file);
    // A file in an import cycle adds nothing when it is visited again.
    known.set(file, undefined);
    const text = sources.get(file) ?? "";
    const works = [...(arrows.get(file) ?? [])].map(workOf);
    const isAll = usesLayer.test(text) || works.includes("all");
    const hasDeep = /\btest\.deep\b/.test(text) || works.includes("deepTests");
    const work = isAll ? "all" : hasDeep ? "deepTests" : undefined;
    known.set(file, work);
    return work;
  };
  const files = [...sources.keys()].filter((file) => file.endsWith(".test.ts"));
  return new Map(
    files.flatMap((file) => {
      const work = workOf(file);
      return work ? [[file.replace(/^test\//, ""), work] as const] : [];
    }),
  );
}
