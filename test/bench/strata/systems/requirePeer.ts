import { createRequire } from "node:module";

/** Loads a package of `test/bench/peers`. */
export function requirePeer(name: string): unknown {
  return createRequire(new URL("../../peers/package.json", import.meta.url))(name);
}
