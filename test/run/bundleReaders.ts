import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hashSources } from "../../deploy/bundle/hashSources.ts";
import { ownAddress } from "./ownAddress.ts";
import { removeOldEntries } from "../../deploy/bundle/removeOldEntries.ts";

export interface ReaderBundleOptions {
  /** Paths of modules that are forked as processes. */
  readonly entries: readonly string[];
  /** Folders with the modules' sources. When a file in them changes, new bundles are created. */
  readonly folders: readonly string[];
  /** Path of the lock file. When it changes, new bundles are created. Omit the path if there are no packages. */
  readonly lockFile?: string;
  /** Packages that are not bundled. */
  readonly external?: readonly string[];
  readonly cacheDir: string;
}

/**
 * Bundles modules that are forked as processes, or finds existing bundles of the same sources. Returns a module for
 * `--import` that makes `fork` start the bundles. Each process then loads a few files instead of 760.
 */
export async function bundleReaders(options: ReaderBundleOptions): Promise<string> {
  const { entries, folders, lockFile, external = [], cacheDir } = options;
  const settings = [...entries, ...external, hookOf([])].join();
  const hash = hashSources({ folders, ...(lockFile && { lockFile }), settings });
  const dir = join(cacheDir, `readers-${hash}`);
  const hook = join(dir, "hook.js");
  if (existsSync(hook)) return hook;
  mkdirSync(cacheDir, { recursive: true });
  removeOldEntries(cacheDir, "readers-");
  const { rolldown } = await import("rolldown");
  const nameOf = (entry: string) => `reader${entries.indexOf(entry)}`;
  const built = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [nameOf(entry), entry])),
    platform: "node",
    external: [/^node:/, ...external],
    plugins: [ownAddress],
  });
  // Other runs must never see a folder that is only partly written.
  const part = `${dir}.${process.pid}`;
  await built.write({ dir: part, format: "esm" });
  await built.close();
  writeFileSync(join(part, "package.json"), `{ "type": "module" }`);
  writeFileSync(
    join(part, "hook.js"),
    hookOf(entries.map((entry) => [entry, join(dir, `${nameOf(entry)}.js`)])),
  );
  try {
    renameSync(part, dir);
  } catch (failure) {
    rmSync(part, { recursive: true });
    // Another run has already created the folder.
    if (!existsSync(hook)) throw failure;
  }
  return hook;
}

const addressOf = (path: string) => pathToFileURL(path).href;

const hookOf = (bundles: readonly (readonly [entry: string, bundle: string])[]): string =>
  `import { isMainThread } from "node:worker_threads";
// Threads fork nothing.
if (isMainThread) {
  const { default: childProcess } = await import("node:child_process");
  const { syncBuiltinESMExports } = await import("node:module");
  const bundles = new Map(${JSON.stringify(bundles.map((pair) => pair.map(addressOf)))});
  const { fork } = childProcess;
  childProcess.fork = (module, ...others) => {
    const bundle = bundles.get(String(module));
    return fork(bundle === undefined ? module : new URL(bundle), ...others);
  };
  // Named imports of the module follow.
  syncBuiltinESMExports();
}
`;
