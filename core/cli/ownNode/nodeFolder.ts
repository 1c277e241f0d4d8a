import { existsSync, mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Creates the folder in which versions of Node.js are installed, `manifold/node` in the user's cache folder, and
 * returns its path.
 * @throws {Error} if the folder cannot be created, or if other users can write to it
 */
export function nodeFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const cache = environment["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const folders = [cache, join(cache, "manifold"), join(cache, "manifold/node")];
  for (const folder of folders)
    try {
      // `recursive` is not used, because creating a folder below /proc with it never returns.
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    } catch (cause) {
      // Another process has created the folder in the meantime.
      if (existsSync(folder)) continue;
      const reason = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
      throw new Error(
        `the folder ${folder} cannot be created${reason}; set XDG_CACHE_HOME to a folder that you can write to`,
        { cause },
      );
    }
  // Programs in a folder that others can change must not be run.
  for (const folder of folders.slice(1)) {
    const { uid, mode } = statSync(folder);
    if (uid !== (process.getuid?.() ?? uid) || (mode & 0o022) !== 0)
      throw new Error(
        `the folder ${folder} must belong to you, and only you may write to it; run chmod 700 ${folder}, or set XDG_CACHE_HOME to another folder`,
      );
  }
  return join(cache, "manifold/node");
}
