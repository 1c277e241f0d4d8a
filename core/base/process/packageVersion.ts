import { readFileSync } from "node:fs";
// This is a default import, because an older Node lacks the named export, and its process must still reach the check of
// the version.
import * as module from "node:module";

/** Returns the version of this package. */
export function packageVersion(): string {
  const path = module.findPackageJSON(import.meta.url);
  if (!path) throw new Error("the package.json of manifold is missing");
  const { version }: { readonly version: string } = JSON.parse(readFileSync(path, "utf8"));
  return version;
}
