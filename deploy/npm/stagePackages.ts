import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createTables } from "../../core/jobs/index.ts";
import { writeTemplate } from "../../core/catalog/index.ts";
import { bundleHost, ownBundle } from "../bundle/index.ts";
import { bundledDependencies, bundleDependencies, bundleOf } from "./bundleDependencies.ts";
import { bundleEmbed } from "./bundleEmbed.ts";
import { writeSchemas } from "./schemas/index.ts";
import { writeAssets } from "./writeAssets.ts";
import { writeBill } from "./writeBill.ts";
import { writeDeclarations } from "./writeDeclarations.ts";
import { writeDriverLocks } from "./writeDriverLocks.ts";
import { writePages } from "./writePages.ts";

/** The fields of a package.json that this script reads. */
interface Described {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

// Writes the four packages of `npm publish` to dist/host, dist/plugin, dist/client and dist/embed. The compiled files
// are in dist/build. Called by `npm run build`.
const root = resolve(import.meta.dirname, "../..");
const dist = resolve(process.argv[2] ?? "dist");
const built = join(dist, "build");

/** Folders of `plugins` that the package for authors contains. The host's package imports them from there. */
const authorFolders = ["protocol", "sdk", "sql", "rows", "meanings", "conformance"];

const read = (path: string): Described => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Copies compiled files. In declarations, imports of source files become imports of the compiled files. */
function copyCompiled(from: string, to: string): void {
  for (const file of globSync("**/*.{js,d.ts}", { cwd: join(built, from) }))
    copyText(join(built, from, file), join(to, file), (text) =>
      file.endsWith(".d.ts") ? withCompiledNames(text) : text,
    );
}

/**
 * Copies compiled modules of the host. Imports from the package for authors become imports of its exports, and imports
 * of bundled dependencies become paths to their bundles.
 */
function copyModules(from: string, to: string): void {
  for (const file of globSync("**/*.js", { cwd: join(built, from) })) {
    const source = join(built, from, file);
    const bundles = relative(dirname(join(from, file)), "bundled");
    copyText(source, join(to, file), (text) =>
      withBundles(withPackageNames(text, source), bundles),
    );
  }
}

function copyText(from: string, to: string, change: (text: string) => string): void {
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, change(readFileSync(from, "utf8")));
}

const imported = /(from |import |import\()"([^"]+)"/g;

const withCompiledNames = (text: string): string =>
  text.replaceAll(/((?:from |import |import\()"\.[^"]*)\.ts"/g, '$1.js"');

const withBundles = (text: string, bundles: string): string =>
  text.replaceAll(imported, (whole, keyword: string, specifier: string) =>
    bundledDependencies.includes(specifier)
      ? `${keyword}"${bundles}/${bundleOf(specifier)}"`
      : whole,
  );

function withPackageNames(text: string, source: string): string {
  return text.replaceAll(imported, (whole, keyword: string, specifier: string) => {
    if (!specifier.startsWith(".")) return whole;
    const path = relative(join(built, "plugins"), resolve(dirname(source), specifier));
    const folder = dirname(path);
    if (!authorFolders.includes(folder.split("/")[0] ?? "")) return whole;
    if (!/\/index\.[jt]s$/.test(path))
      throw new Error(`${source} imports ${path}, which is not a door`);
    const name = folder === "sdk" ? "" : `/${folder}`;
    return `${keyword}"@manifold-analytics/plugin${name}"`;
  });
}

/** Fields of package.json that only the source tree needs. */
const fieldsOfTree = new Set([
  "private",
  "workspaces",
  "scripts",
  "devDependencies",
  "devEngines",
  "overrides",
  "allowScripts",
]);

/**
 * Changes the host's package.json, so that users do not install bundled dependencies, and install drivers only if they
 * want to. Also adds the types of Node.js, which the types of the host use.
 */
function describeHost(described: Described): Described {
  const { dependencies = {}, optionalDependencies, ...others } = described;
  const peerDependencies = { "@types/node": ">=20", ...optionalDependencies };
  return {
    ...others,
    dependencies: Object.fromEntries(
      Object.entries(dependencies).filter(([name]) => !bundledDependencies.includes(name)),
    ),
    peerDependencies,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(peerDependencies).map((name) => [name, { optional: true }]),
    ),
  };
}

/** Writes the package.json of a package, whose exports name compiled files. */
function describe(described: Described, to: string): void {
  const published = Object.fromEntries(
    Object.entries(described).filter(([field]) => !fieldsOfTree.has(field)),
  );
  const exports = Object.fromEntries(
    Object.entries(described.exports).map(([path, target]) => [
      path,
      typeof target === "string"
        ? target
        : Object.fromEntries(
            Object.entries(target).filter(([condition]) => condition !== "manifold-source"),
          ),
    ]),
  );
  const all = { ...published, exports, publishConfig: { access: "public" } };
  writeFileSync(join(to, "package.json"), `${JSON.stringify(all, undefined, 2)}\n`);
}

/**
 * Creates the folder of a package, with its package.json, README, pages, examples, licence and changelog. Returns the
 * path of the folder.
 */
function start(name: string, described: Described): string {
  const to = join(dist, name);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  describe(described, to);
  writePages(name, to);
  return to;
}

/**
 * Bundles the modules of the host without the packages that users install. The command and the main export then load
 * the bundle. The other modules remain, because processes that read foreign bytes load some of them.
 */
async function bundleCommand(): Promise<void> {
  const entries = Object.fromEntries(
    Object.entries(ownBundle.entries).map(([name, file]) => [name, file.replace(/\.ts$/, ".js")]),
  );
  const to = join(host, "core/bundle");
  await bundleHost({ root: host, entries, to, withPackages: false });
  for (const name of ["command", "index"]) {
    const file = entries[name] ?? "";
    const bundled = relative(dirname(file), `core/bundle/${name}.js`);
    const path = bundled.startsWith(".") ? bundled : `./${bundled}`;
    writeFileSync(join(host, file), `export * from ${JSON.stringify(path)};\n`);
  }
}

const host = start("host", describeHost(read("package.json")));
for (const folder of ["core", "connectors", "engine", "plugins/strata"])
  copyModules(folder, join(host, folder));
writeDeclarations({ from: built, to: host, entry: "core/index.d.ts" });
await bundleDependencies(join(host, "bundled"));
writeDriverLocks(join(host, "drivers"));
for (const folder of ["core/web/console", "core/web/embed"])
  rmSync(join(host, folder), { recursive: true, force: true });
cpSync(join(root, "engine/kernels/kernels.wasm"), join(host, "engine/kernels/kernels.wasm"));
await writeAssets(join(host, "core/http/assets/files"));
writeBill(join(host, "sbom.cdx.json"));
await bundleCommand();
const silent = () => undefined;
await writeTemplate({
  folder: join(host, "core/catalog/postgres/template/files"),
  log: { info: silent, warn: silent, error: silent },
  fill: createTables,
});

const plugin = start("plugin", read("plugins/package.json"));
for (const folder of authorFolders) copyCompiled(`plugins/${folder}`, join(plugin, folder));
const csvReader = "rows/formats/csvReader.wasm";
cpSync(join(root, "plugins", csvReader), join(plugin, csvReader));
writeSchemas(join(plugin, "schemas"));

copyCompiled("core/web/client", start("client", read("core/web/client/package.json")));

const embed = start("embed", read("core/web/embed/package.json"));
await bundleEmbed(embed);
for (const folder of ["charts", "embed"])
  for (const file of globSync("**/*.d.ts", { cwd: join(built, "core/web", folder) }))
    copyText(
      join(built, "core/web", folder, file),
      join(embed, "types", folder, file),
      withCompiledNames,
    );
