import { existsSync, mkdirSync, statSync } from "node:fs";
import * as module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Keeps the compiled code of modules that are loaded from now on in the user's cache folder: compiling 1,800 modules is
 * two thirds of a start. Where the folder cannot be made, or others can write to it, nothing is kept.
 */
export function cacheModules(): void {
  const parent = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const folder = join(parent, "manifold");
  try {
    // Not by `recursive`, which does not end below /proc.
    for (const each of [parent, folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    const { uid, mode } = statSync(folder);
    if (uid !== (process.getuid?.() ?? uid) || (mode & 0o022) !== 0) return;
  } catch {
    // A home that cannot be written to: the start takes longer.
    return;
  }
  module.enableCompileCache(folder);
  // Threads read it from here.
  process.env["NODE_COMPILE_CACHE"] ??= folder;
}
