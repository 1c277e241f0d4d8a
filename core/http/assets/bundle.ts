import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AssetBundle, AssetFile } from "./assetFile.ts";
import { joinLanguages } from "./joinLanguages.ts";
import { readRegistry } from "./readRegistry.ts";

/**
 * A browser script. `source` is relative to this file. A stable file name contains no hash, because other sites use it.
 */
interface Entry {
  readonly source: string;
  readonly isStable?: true;
}

const usualEntries: Readonly<Record<string, Entry>> = {
  console: { source: "../../web/console/main.ts" },
  embed: { source: "../../web/embed/main.ts", isStable: true },
  editor: { source: "../../web/console/editor.ts", isStable: true },
};

/** The fonts of pages, as files of their packages. The widths of the first two are also known to pictures. */
const fonts = [
  { family: "ibm-plex-sans", weight: 400 },
  { family: "ibm-plex-sans", weight: 600 },
  { family: "ibm-plex-mono", weight: 400 },
] as const;

const consoleFolder = fileURLToPath(new URL("../../web/console/", import.meta.url));
const component = fileURLToPath(new URL("../../web/embed/main.ts", import.meta.url));
/** Tables and functions that pages which only show dashboards do not use. */
const onlyEditors =
  /\/charts\/(?:item\/(?:item(?:Options|Meanings)|keepQuery|fillSlots)|dashboard\/placeItem)\.ts$/;
/** What menus, controls and the console read of the state of a dashboard, and the first script does not need. */
const states =
  /\/charts\/(?:item\/extraFields|dashboard\/(?:stateAddress|readWholeState|readControlValue|dateRange))\.ts$/;
/** The script of filter items, of which the console uses parts. */
const controls = fileURLToPath(new URL("../../web/embed/controls/controls.ts", import.meta.url));
/** The door of the code that several families of kinds share, and that the first script does not need. */
const lateKinds = fileURLToPath(new URL("../../web/charts/kinds/lateKinds.ts", import.meta.url));

const pathOf = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));

/**
 * Bundles the browser scripts from their sources. Code that loads later is in separate modules. Adds the fonts, the
 * licences and the list of plugins. Takes about half a second of processor time. Requires rolldown, which is installed
 * only in a checkout. `more` adds scripts, for tests of built code.
 */
export async function bundleAssets(
  more: Readonly<Record<string, Entry>> = {},
): Promise<AssetBundle> {
  const entries = { ...usualEntries, ...more };
  const { rolldown } = await import("rolldown");
  const built = await rolldown({
    input: Object.fromEntries(
      Object.entries(entries).map(([name, { source }]) => [
        name,
        fileURLToPath(new URL(source, import.meta.url)),
      ]),
    ),
    platform: "browser",
    plugins: [joinLanguages(consoleFolder)],
    preserveEntrySignatures: "allow-extension",
    resolve: { conditionNames: ["browser", "import", "module", "default"] },
    // These modules have no effect when they are imported, so only the scripts that use them contain them.
    treeshake: {
      moduleSideEffects: [
        { test: onlyEditors, sideEffects: false },
        { test: states, sideEffects: false },
      ],
    },
  });
  try {
    const { output } = await built.generate({
      format: "es",
      minify: true,
      comments: { legal: false },
      entryFileNames: ({ name }) =>
        entries[name]?.isStable ? `${name}.js` : "assets/[name]-[hash].js",
      chunkFileNames: "assets/[name]-[hash].js",
      // A page first loads a single script. Scripts that load later import only the first script, and the script that
      // `loadKind` loads at the same time, so none of them waits for two others.
      codeSplitting: {
        groups: [
          {
            name: "options",
            test: onlyEditors,
            priority: 2,
            includeDependenciesRecursively: false,
          },
          { name: "states", test: states, priority: 2, includeDependenciesRecursively: false },
          { name: "component", test: (id) => id === component, priority: 1 },
          { name: "kinds", test: (id) => id === lateKinds },
          { name: "controls", test: (id) => id === controls },
        ],
      },
    });
    const chunks = output.filter((each) => each.type === "chunk");
    const notice = "/*! Manifold, MIT. Third-party parts: assets/licences.txt */\n";
    const scripts = chunks.map(({ fileName, code }): AssetFile => ({
      path: fileName,
      bytes: new TextEncoder().encode(notice + code),
      isImmutable: fileName.startsWith("assets/"),
    }));
    const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
    return {
      files: [
        ...scripts,
        ...readFonts(),
        {
          path: "assets/plugins.json",
          bytes: new TextEncoder().encode(JSON.stringify(readRegistry())),
          isImmutable: false,
        },
        {
          path: "assets/licences.txt",
          bytes: new TextEncoder().encode(licencesOf([...modules, ...fontPackages()])),
          isImmutable: false,
        },
      ],
      entries: Object.fromEntries(
        chunks
          .filter(({ isEntry }) => isEntry)
          .map(({ name, fileName }): [string, string] => [name, fileName]),
      ),
    };
  } finally {
    await built.close();
  }
}

function readFonts(): AssetFile[] {
  return fonts.map(({ family, weight }) => ({
    path: `assets/${family}-${weight}.woff2`,
    bytes: readFileSync(
      pathOf(`@fontsource/${family}/files/${family}-latin-${weight}-normal.woff2`),
    ),
    isImmutable: false,
  }));
}

const fontPackages = (): string[] =>
  fonts.map(({ family }) => pathOf(`@fontsource/${family}/package.json`));

/** Returns the licence texts of the packages that the modules belong to. Those licences require us to include them. */
export function licencesOf(moduleIds: readonly string[]): string {
  const folders = moduleIds.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]);
  const texts = [...new Set(folders)].flatMap((folder) => {
    if (folder === undefined) return [];
    const described: { readonly name?: unknown; readonly version?: unknown } = JSON.parse(
      readFileSync(`${folder}/package.json`, "utf8"),
    );
    const title = `${String(described.name)} ${String(described.version)}`;
    const file = readdirSync(folder).find((name) => /^licen[cs]e(\.md|\.txt)?$/i.test(name));
    if (file === undefined) throw new Error(`${title} has no licence file`);
    return [`${title}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`];
  });
  return texts.toSorted().join(`\n${"-".repeat(72)}\n\n`);
}
