import { lstatSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Makes the links between the libraries of the server that the package's install script would have made: npm may have
 * left scripts out. `native` is the folder with `bin` and `lib`. Links that are there stay.
 * @throws {Error} that names the way out where the folder cannot be written
 */
export function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  for (const { source, target } of readLinks(list)) {
    const path = join(dirname(native), target);
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (cause) {
      // Another host makes the same links.
      if (lstatSync(path, { throwIfNoEntry: false })) continue;
      throw new Error(
        `the libraries of the PostgreSQL that npm installed are not linked, and ${dirname(path)} cannot be written; run "npm rebuild" as its owner once, or set DATABASE_URL to a PostgreSQL of your own`,
        { cause },
      );
    }
  }
}

/** A package for a platform without links has no list. Both ends of a link are in one folder. */
function readLinks(list: string): readonly Link[] {
  if (!lstatSync(list, { throwIfNoEntry: false })) return [];
  const links: readonly Link[] = JSON.parse(readFileSync(list, "utf8"));
  return links.filter(
    ({ source, target }) => dirname(source) === dirname(target) && !target.includes(".."),
  );
}
