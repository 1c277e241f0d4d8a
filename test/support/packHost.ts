import { join } from "node:path";
import { buildPackages, shell } from "./buildPackages.ts";

/** The tarballs of the packages that a user of the host installs. */
export interface PackedHost {
  readonly tarballs: readonly string[];
  remove(): void;
}

/** Builds a copy of this tree, and packs the host and the package on which it depends. */
export async function packHost(): Promise<PackedHost> {
  const { dist, folder, remove } = await buildPackages();
  const packed = ["plugin", "host"].map(async (name) => {
    const pack = `npm pack --silent --ignore-scripts --pack-destination ${folder}`;
    const { stdout } = await shell(pack, dist(name));
    return join(folder, stdout.trim());
  });
  return { tarballs: await Promise.all(packed), remove };
}
