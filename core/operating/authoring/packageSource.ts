import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { packageVersion } from "../../base/index.ts";

/** Where a generated project gets the library for plugin authors. */
export interface PackageSource {
  /** A version range, or `file:` and a path. */
  readonly spec: string;
  /** The folder or archive to install. Absent if the package comes from a registry. */
  readonly path?: string;
}

const library = "@manifold-analytics/plugin";

const ownFolder = () => dirname(createRequire(import.meta.url).resolve(`${library}/package.json`));

/**
 * Returns where a copy of the library comes from, so that a project uses the same copy. By default, the copy is that of
 * this command. A copy from a registry becomes a version range. A copy from an archive or a folder becomes its path.
 */
export function packageSource(folder = ownFolder()): PackageSource {
  const path = localPath(folder);
  return path === undefined ? { spec: `^${packageVersion()}` } : { spec: `file:${path}`, path };
}

/** Returns the folder or archive from which a package was installed; undefined if it came from a registry. */
function localPath(folder: string): string | undefined {
  const isInstalled = folder.split(/[\\/]/).includes("node_modules");
  if (!isInstalled) return isSource(folder) ? join(folder, "../dist/plugin") : folder;
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const list = join(at, ".package-lock.json");
    if (basename(at) !== "node_modules" || !existsSync(list)) continue;
    const { packages }: { readonly packages?: Readonly<Record<string, { resolved?: string }>> } =
      JSON.parse(readFileSync(list, "utf8"));
    const root = dirname(at);
    const key = relative(root, folder).replaceAll("\\", "/");
    const { resolved } = packages?.[key] ?? {};
    if (!resolved?.startsWith("file:")) continue;
    const archive = resolve(root, resolved.slice("file:".length));
    return existsSync(archive) ? archive : folder;
  }
  return undefined;
}

/** Returns whether a folder contains the sources of the library, which must be built before they can be installed. */
function isSource(folder: string): boolean {
  return readFileSync(join(folder, "package.json"), "utf8").includes('"manifold-source"');
}
