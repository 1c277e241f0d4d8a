import { readFileSync } from "node:fs";
// This is a default import, because an older Node lacks the named export and would fail before its version is checked.
import * as module from "node:module";

/** Returns the version in this package's package.json, such as `0.1.0`. */
export function packageVersion(): string {
  const path = module.findPackageJSON(import.meta.url);
  if (!path) throw new Error("the package.json of manifold is missing");
  const { version }: { readonly version: string } = JSON.parse(readFileSync(path, "utf8"));
  return version;
}
