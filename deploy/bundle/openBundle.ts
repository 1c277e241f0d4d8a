import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { hashSources } from "./hashSources.ts";
import { removeOldEntries } from "./removeOldEntries.ts";

export interface BundleOptions {
  /** The folder of the tree. */
  readonly root: string;
  /** Paths in the tree of the modules that other code imports from the bundle, by the name of the bundled file. */
  readonly entries: Readonly<Record<string, string>>;
  /** Folders of the tree with the sources of the bundle, and of the code that creates it. */
  readonly folders: readonly string[];
  /** Folder for bundles. */
  readonly cacheDir: string;
}

/** The last bundle that a start has used. */
interface Last {
  readonly folder: string;
  readonly node: string;
  /** Size and times of each file from which the bundle was created, by its path in the tree. */
  readonly stamps: Readonly<Record<string, string>>;
}

const prefix = "bundle-";
/** List of the files in the tree from which a bundle was created, in the folder of the bundle. */
const inputsFile = "inputs.json";
const lockFile = "node_modules/.package-lock.json";
/** A file that was changed so recently may change again without a new time. */
const recentMs = 2_000;

/**
 * Bundles modules, or finds the bundle of the same sources, packages and Node.js. Returns the URL of the bundled file
 * for the URL of each entry. A hash of the sources decides, but they are not read if no size and time has changed since
 * the last start. Bundling the host takes two seconds, and finding its bundle a fiftieth of a second.
 * @throws {Error} if rolldown has no binary for this platform, or the cache cannot be written
 */
export async function openBundle(options: BundleOptions): Promise<ReadonlyMap<string, string>> {
  const { root, entries, cacheDir } = options;
  const lastFile = join(cacheDir, "last.json");
  const folder = readLast(options, lastFile) ?? (await findByHash(options, lastFile));
  return new Map(
    Object.entries(entries).map(([name, file]) => [
      pathToFileURL(join(root, file)).href,
      pathToFileURL(join(folder, `${name}.js`)).href,
    ]),
  );
}

/** Returns the folder of the last bundle if none of its files has changed. */
function readLast({ root }: BundleOptions, lastFile: string): string | undefined {
  if (!existsSync(lastFile)) return undefined;
  const { folder, node, stamps }: Last = JSON.parse(readFileSync(lastFile, "utf8"));
  const isSame = Object.entries(stamps).every(([path, stamp]) => stampOf(root, path) === stamp);
  return isSame && node === process.version && existsSync(folder) ? folder : undefined;
}

/** Returns the size and times of a file. An edit that preserves the time of modification changes the other time. */
function stampOf(root: string, path: string): string {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  return found ? `${found.size} ${found.mtimeMs} ${found.ctimeMs}` : "";
}

async function findByHash(options: BundleOptions, lastFile: string): Promise<string> {
  const { root, entries, folders, cacheDir } = options;
  // Files that change while they are read differ from their stamps at the next start.
  const sinceMs = Date.now() - recentMs;
  const hash = hashSources({
    folders: folders.map((each) => join(root, each)),
    ...(existsSync(join(root, lockFile)) && { lockFile: join(root, lockFile) }),
    settings: JSON.stringify(entries),
  });
  const folder = join(cacheDir, prefix + hash);
  if (!existsSync(folder)) await build(options, folder);
  // Bundles that no start has found for a day are removed.
  utimesSync(folder, new Date(), new Date());
  const inputs: readonly string[] = JSON.parse(readFileSync(join(folder, inputsFile), "utf8"));
  const isRecent = (path: string) =>
    (statSync(join(root, path), { throwIfNoEntry: false })?.ctimeMs ?? 0) > sinceMs;
  const stamps = Object.fromEntries(inputs.map((path) => [path, stampOf(root, path)]));
  if (inputs.some(isRecent)) rmSync(lastFile, { force: true });
  else writeWhole(lastFile, { folder, node: process.version, stamps });
  return folder;
}

function writeWhole(file: string, last: Last): void {
  const part = `${file}.${process.pid}`;
  writeFileSync(part, JSON.stringify(last));
  renameSync(part, file);
}

/** Creates the folder elsewhere and then renames it, because two hosts may start at the same time. */
async function build({ root, entries, cacheDir }: BundleOptions, folder: string): Promise<void> {
  mkdirSync(cacheDir, { recursive: true });
  removeOldEntries(cacheDir, prefix);
  const { bundleHost } = await import("./bundleHost.ts");
  const part = `${folder}.${process.pid}`;
  const modules = await bundleHost({ root, entries, to: part });
  const own = readdirSync(import.meta.dirname).map((name) => join(import.meta.dirname, name));
  const inputs = [...modules, ...own].map((path) => relative(root, path));
  writeFileSync(join(part, inputsFile), JSON.stringify([...inputs, lockFile]));
  try {
    renameSync(part, folder);
  } catch (failure) {
    rmSync(part, { recursive: true });
    // Another start has already created the folder.
    if (!existsSync(folder)) throw failure;
  }
}
