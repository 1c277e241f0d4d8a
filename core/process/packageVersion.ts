import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

/** Returns the version of this package. */
export function packageVersion(): string {
  const path = findPackageJSON(import.meta.url);
  if (!path) throw new Error("the package's own package.json is missing");
  const { version }: { readonly version: string } = JSON.parse(readFileSync(path, "utf8"));
  return version;
}
