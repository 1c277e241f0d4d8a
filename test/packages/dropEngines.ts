/**
 * Run `npm run engines` after changing the root's packages. In the lock file, it removes the `engines` member of
 * packages about which npm on Node 20 would warn. These packages run on the Node.js version that the project pins, and
 * only npm itself runs on an older version.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findEngineWarnings } from "./findEngineWarnings.ts";

interface Lock {
  readonly packages: Record<string, { readonly version?: string; engines?: unknown }>;
}

const root = join(import.meta.dirname, "../..");
const file = join(root, "package-lock.json");
const warned = findEngineWarnings(root);
const lock = JSON.parse(readFileSync(file, "utf8")) as Lock;
for (const [path, locked] of Object.entries(lock.packages)) {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  if (path === "" || !warned.includes(`${name}@${locked.version}`)) continue;
  delete locked.engines;
  process.stdout.write(`${name}@${locked.version}\n`);
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
