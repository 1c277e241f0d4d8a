import { readFileSync } from "node:fs";
// An older Node lacks the name, and must reach the check of its version.
import * as module from "node:module";

/** Returns the version of this package. */
export function packageVersion(): string {
  const path = module.findPackageJSON(import.meta.url);
  if (!path) throw new Error("the package's own package.json is missing");
  const { version }: { readonly version: string } = JSON.parse(readFileSync(path, "utf8"));
  return version;
}
