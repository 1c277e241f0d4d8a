import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface HashedSources {
  /** Folders of TypeScript files. */
  readonly folders: readonly string[];
  /** Path of the lock file. Omit it if there are no packages. */
  readonly lockFile?: string;
  /** Settings of the bundle. Changing them changes the hash. */
  readonly settings: string;
}

/** Returns a hash of the sources: paths, contents, installed packages, runtime and settings. */
export function hashSources({ folders, lockFile, settings }: HashedSources): string {
  const hash = createHash("sha256").update(`${settings}\0${process.version}\0`);
  if (lockFile !== undefined) hash.update(readFileSync(lockFile)).update("\0");
  for (const folder of folders) {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const sources = files.filter((each) => each.endsWith(".ts") && !each.includes("node_modules"));
    for (const file of sources.toSorted())
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(folder, file)))
        .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}
