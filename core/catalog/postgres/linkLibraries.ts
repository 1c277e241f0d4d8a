import { lstatSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the links between the server's libraries that the package's install script would have created, because npm
 * may skip scripts. `native` is the folder with `bin` and `lib`. Existing links are kept.
 * @throws {Error} that says what to do if the folder is not writable
 */
export function linkLibraries(native: string): void {
  const list = join(native, "pg-symlinks.json");
  for (const { source, target } of readLinks(list)) {
    const path = join(dirname(native), target);
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (cause) {
      // Another host may be creating the same links.
      if (lstatSync(path, { throwIfNoEntry: false })) continue;
      throw new Error(
        `the libraries of the PostgreSQL that npm installed are not linked, and ${dirname(path)} is not writable; run "npm rebuild" once as its owner, or set DATABASE_URL to a PostgreSQL server`,
        { cause },
      );
    }
  }
}

/**
 * Reads the list of links. Packages for platforms without links have no list. Both ends of a link are in the same
 * folder.
 */
function readLinks(list: string): readonly Link[] {
  if (!lstatSync(list, { throwIfNoEntry: false })) return [];
  const links: readonly Link[] = JSON.parse(readFileSync(list, "utf8"));
  return links.filter(
    ({ source, target }) => dirname(source) === dirname(target) && !target.includes(".."),
  );
}
