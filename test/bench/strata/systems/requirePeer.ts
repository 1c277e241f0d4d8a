import { createRequire } from "node:module";
import { packageSets } from "../../../packages/packageSets.ts";

/** The package set that contains each peer. */
export const peers = { chdb: packageSets.clickhouse, "nodejs-polars": packageSets.peers } as const;

/** Loads a peer whose package set is installed. */
export function requirePeer(name: keyof typeof peers): unknown {
  return createRequire(new URL(`../../../../${peers[name].folder}/package.json`, import.meta.url))(
    name,
  );
}
