import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { AssetBundle, AssetFile } from "./assetFile.ts";

/** The files that browsers load from a host. */
export interface Assets {
  /** Returns the file at a path such as `embed.js`; undefined if the file does not exist. */
  file(path: string): Promise<AssetFile | undefined>;
  /** Returns the path of the script for an entry such as `console`; undefined if the entry does not exist. */
  entry(name: string): Promise<string | undefined>;
}

/** The list of the packaged files. It does not exist in a checkout. */
const manifest = new URL("./files/manifest.json", import.meta.url);

/** The bundle, shared by all hosts of a process, because the sources do not change while the process runs. */
let known: Promise<AssetBundle> | undefined;

/**
 * Opens the files that browsers load: the packaged files or, in a checkout, a bundle of the sources. The bundle is
 * created at the first request and kept in memory (a few hundred kilobytes). Starting therefore costs nothing, and no
 * file is outdated.
 */
export function openAssets(): Assets {
  const read = () => (known ??= loadBundle().catch(forget));
  const files = async () => new Map((await read()).files.map((file) => [file.path, file]));
  let byPath: ReturnType<typeof files> | undefined;
  return {
    async file(path) {
      byPath ??= files();
      try {
        return (await byPath).get(path);
      } catch (failure) {
        byPath = undefined;
        throw failure;
      }
    },
    async entry(name) {
      const { entries } = await read();
      return entries[name];
    },
  };
}

/** Discards a bundle that failed, so that the next request tries again. */
function forget(failure: unknown): never {
  known = undefined;
  throw failure;
}

async function loadBundle(): Promise<AssetBundle> {
  if (!existsSync(manifest)) {
    const { bundleAssets } = await import("./bundle.ts");
    return bundleAssets();
  }
  const { files, entries } = JSON.parse(await readFile(manifest, "utf8")) as Manifest;
  return {
    entries,
    files: await Promise.all(
      files.map(async ({ path, isImmutable }) => ({
        path,
        isImmutable,
        bytes: await readFile(new URL(`./files/${path}`, import.meta.url)),
      })),
    ),
  };
}

/** The content of `manifest.json`, which `npm run build` writes next to the packaged files. */
export interface Manifest {
  readonly entries: AssetBundle["entries"];
  readonly files: readonly Pick<AssetFile, "path" | "isImmutable">[];
}
