import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Finds a package that is installed next to the host, as Node would find it from the folder of the host's code. Returns
 * the URL of its main module, or undefined if the package is missing or its version cannot replace `version`. Looks at
 * the disk on each call, so a package that someone installs while the host runs is found.
 */
export function findBeside(
  packageName: string,
  version: string | undefined,
  from: string = import.meta.dirname,
): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, "node_modules", packageName, "package.json");
    if (existsSync(file)) {
      const found: { readonly version?: unknown } = JSON.parse(readFileSync(file, "utf8"));
      if (version !== undefined && !replaces(String(found.version), version)) return undefined;
      return moduleIn(folder, packageName);
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** Returns the URL of the main module of a package in the `node_modules` of a folder. */
export function moduleIn(folder: string, packageName: string): string {
  const { resolve } = createRequire(join(folder, "package.json"));
  return pathToFileURL(resolve(packageName)).href;
}

const numbersOf = (version: string) =>
  version.split(/[.-]/).map((part) => Number(/\d+/.exec(part)?.[0] ?? 0));

/** Returns whether a version has the same major version as another, and is not older. */
function replaces(found: string, wanted: string): boolean {
  const [one, other] = [numbersOf(found), numbersOf(wanted)];
  const index = other.findIndex((number, at) => (one[at] ?? 0) !== number);
  if (index === -1) return true;
  return index > 0 && (one[index] ?? 0) > (other[index] ?? 0);
}
