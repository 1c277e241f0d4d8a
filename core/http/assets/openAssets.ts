import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { AssetBundle, AssetFile } from "./assetFile.ts";

/** The files that browsers load from a host. */
export interface Assets {
  /** Returns the file at a path such as `embed.js`; undefined if there is none. */
  file(path: string): Promise<AssetFile | undefined>;
  /** Returns the path of an entry's script. An example of an entry is `console`. */
  entry(name: string): Promise<string | undefined>;
}

/** The list of the packaged files. A checkout has none. */
const manifest = new URL("./files/manifest.json", import.meta.url);

/** Shared by all hosts of a process, because the sources do not change while it runs. */
let known: Promise<AssetBundle> | undefined;

/**
 * Opens the files that browsers load: those in the package or, in a checkout, a bundle of the sources. The bundle is
 * built at the first request and kept in memory (a few hundred kilobytes), so starting costs nothing and no file is
 * stale.
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

/** Discards the failed bundle, so that the next request tries again. */
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

/** The list that `npm run build` writes next to the files. */
export interface Manifest {
  readonly entries: AssetBundle["entries"];
  readonly files: readonly Pick<AssetFile, "path" | "isImmutable">[];
}
