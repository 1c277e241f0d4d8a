import { installPackages } from "../packages/installPackages.ts";
import { packageSets, type PackageSetName } from "../packages/packageSets.ts";

/** How a process of the runner finds a set: it asks the runner, which installs each at most once. */
export const runnerPackages: { find?: (name: PackageSetName) => Promise<string> } = {};

const found = new Map<PackageSetName, Promise<string>>();

/**
 * Finds the `node_modules` of a set, and installs it when it is not there, or is older than its lock file.
 * @throws when npm cannot install it
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
