import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { bundleAssets } from "./bundle.ts";
import type { Manifest } from "./openAssets.ts";

// Writes the files that browsers load to the given folder of the built package. Called by `npm run build`.
const [, , folder = "dist/core/http/assets/files"] = process.argv;
const target = resolve(folder);
const { files, entries } = await bundleAssets();
rmSync(target, { recursive: true, force: true });
for (const { path, bytes } of files) {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
const manifest: Manifest = {
  entries,
  files: files.map(({ path, isImmutable }) => ({ path, isImmutable })),
};
writeFileSync(join(target, "manifest.json"), JSON.stringify(manifest));
