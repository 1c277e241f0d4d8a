import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleAssets, type Manifest } from "../../core/http/assets/index.ts";

/**
 * Writes the files that browsers load, and the list by which the host finds them, to a folder of the host's package.
 */
export async function writeAssets(folder: string): Promise<void> {
  const { files, entries } = await bundleAssets();
  for (const { path, bytes } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  const manifest: Manifest = {
    entries,
    files: files.map(({ path, isImmutable }) => ({ path, isImmutable })),
  };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
}
