import { installPackages } from "../packages/installPackages.ts";
import { packageSets, type PackageSetName } from "../packages/packageSets.ts";

/**
 * Set only in processes that the runner starts. `find` requests a package set from the runner, which installs each set
 * at most once.
 */
export const runnerPackages: { find?: (name: PackageSetName) => Promise<string> } = {};

const found = new Map<PackageSetName, Promise<string>>();

/**
 * Returns the `node_modules` of a package set. If the set is missing or older than its lock file, it is installed
 * first.
 * @throws if npm cannot install the set
 */
export function findPackages(name: PackageSetName): Promise<string> {
  const packages = found.get(name) ?? (runnerPackages.find ?? installHere)(name);
  found.set(name, packages);
  return packages;
}

function installHere(name: PackageSetName): Promise<string> {
  const announce = (line: string) => void process.stderr.write(line);
  return installPackages({ set: packageSets[name], announce });
}
