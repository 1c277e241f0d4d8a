import { existsSync, mkdirSync, statSync } from "node:fs";
import * as module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Caches the compiled code of modules that are loaded from now on, in the user's cache folder. Compiling the 1,800
 * modules takes two thirds of a start. Caches nothing if the folder cannot be created or if other users can write to
 * it.
 */
export function cacheModules(): void {
  const parent = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const folder = join(parent, "manifold");
  try {
    // `recursive` is not used, because creating a folder below /proc with it never returns.
    for (const each of [parent, folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    const { uid, mode } = statSync(folder);
    if (uid !== (process.getuid?.() ?? uid) || (mode & 0o022) !== 0) return;
  } catch {
    // The home folder is not writable, so nothing is cached and starts take longer.
    return;
  }
  module.enableCompileCache(folder);
  // Worker threads read the path of the folder from this variable.
  process.env["NODE_COMPILE_CACHE"] ??= folder;
}
