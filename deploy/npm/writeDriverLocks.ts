import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drivers } from "../../core/sources/drivers/index.ts";

interface Locked {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

type LockedByPath = Readonly<Record<string, Locked>>;

const root = join(import.meta.dirname, "../..");

/**
 * Writes the package.json and the lock file of each driver that the host installs when the driver is first used. They
 * contain the versions and hashes with which this tree is tested, for every platform.
 */
export function writeDriverLocks(folder: string): void {
  const lock: { readonly packages: LockedByPath } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  for (const [name, { packageName }] of Object.entries(drivers)) {
    const to = join(folder, name);
    const packages = lockOf(packageName, lock.packages);
    const described = {
      name: `manifold-driver-${name}`,
      private: true,
      dependencies: { [packageName]: packages[`node_modules/${packageName}`]?.version },
    };
    const written = {
      name: described.name,
      lockfileVersion: 3,
      requires: true,
      packages: { "": described, ...packages },
    };
    mkdirSync(to, { recursive: true });
    for (const [file, value] of [
      ["package.json", described],
      ["package-lock.json", written],
    ] as const)
      writeFileSync(join(to, file), `${JSON.stringify(value, undefined, 2)}\n`);
  }
}

/**
 * Returns the part of a lock file that a package needs. A package stays optional only if every path to it contains an
 * optional dependency. Binaries of other platforms are an example.
 */
function lockOf(packageName: string, all: LockedByPath): LockedByPath {
  const needed = reach(packageName, all, ["dependencies"]);
  const found = reach(packageName, all, ["dependencies", "optionalDependencies"]);
  return Object.fromEntries(
    [...found].toSorted().map((path) => {
      const { dev: _, devOptional: __, optional: ___, peer: ____, ...locked } = all[path]!;
      return [path, needed.has(path) ? locked : { ...locked, optional: true }];
    }),
  );
}

function reach(
  packageName: string,
  all: LockedByPath,
  kinds: readonly ("dependencies" | "optionalDependencies")[],
): ReadonlySet<string> {
  const found = new Set([find("", packageName, all)]);
  for (const path of found)
    for (const kind of kinds)
      for (const name of Object.keys(all[path]?.[kind] ?? {})) found.add(find(path, name, all));
  return found;
}

/** Finds the package that a package at `path` gets when it imports `name`. */
function find(path: string, name: string, all: LockedByPath): string {
  const own = `${path === "" ? "" : `${path}/`}node_modules/${name}`;
  if (all[own]) return own;
  if (path === "") throw new Error(`the lock file lacks ${name}`);
  return find(path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))), name, all);
}
