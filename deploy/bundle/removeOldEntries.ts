import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const dayMs = 86_400_000;

/**
 * Removes cache entries with the given prefix that are more than a day old. Newer entries may still be in use by
 * another run.
 */
export function removeOldEntries(cacheDir: string, prefix: string): void {
  const names = readdirSync(cacheDir).filter((name) => name.startsWith(prefix));
  for (const path of names.map((name) => join(cacheDir, name)))
    if (Date.now() - statSync(path).mtimeMs > dayMs) rmSync(path, { recursive: true, force: true });
}
