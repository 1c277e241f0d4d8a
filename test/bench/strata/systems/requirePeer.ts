import { createRequire } from "node:module";

/** Loads a package that only the bench knows, from `test/bench/peers`. */
export function requirePeer(name: string): unknown {
  return createRequire(new URL("../../peers/package.json", import.meta.url))(name);
}
