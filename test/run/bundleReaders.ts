import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hashSources } from "./hashSources.ts";
import { ownAddress } from "./ownAddress.ts";
import { removeOldEntries } from "./removeOldEntries.ts";

export interface ReaderBundleOptions {
  /** Modules that processes are forked with. */
  readonly entries: readonly string[];
  /** Folders of their sources: a change of one makes other bundles. */
  readonly folders: readonly string[];
  /** The file of installed versions, whose change makes other bundles; without one there are no packages. */
  readonly lockFile?: string;
  /** Packages that are not bundled. */
  readonly external?: readonly string[];
  readonly cacheDir: string;
}

/**
 * Bundles the modules that processes are forked with, or finds the bundles of the same sources. Returns a module for
 * `--import` that has `fork` start the bundles: a process then loads a few files instead of 760.
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
  // Another run never finds half of it.
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
    // Another run was first.
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
