import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requirePeer } from "./systems/requirePeer.ts";

const folder = fileURLToPath(new URL("../peers/", import.meta.url));

/** A peer that cannot be measured here, and why. */
export interface MissingPeer {
  readonly prefix: string;
  readonly reason: string;
}

/**
 * Installs ClickHouse and Polars for Node.js from `test/bench/peers` when they are not there yet. The native parts of
 * chdb come as optional packages for some platforms only, so `npm ci`, which wants all of them in the registry, cannot
 * be used.
 */
export async function installPeers(): Promise<readonly MissingPeer[]> {
  if (!existsSync(join(folder, "node_modules"))) {
    process.stdout.write("installing the peers of the bench\n");
    const npm = spawn(
      "npm",
      [
        "install",
        "--no-save",
        "--force",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
      ],
      { cwd: folder, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" },
    );
    await once(npm, "exit");
  }
  const missing: MissingPeer[] = [];
  for (const [prefix, name] of [
    ["clickhouse", "chdb"],
    ["polars", "nodejs-polars"],
  ] as const)
    try {
      requirePeer(name);
    } catch (error) {
      const [reason = ""] = String((error as Error).message).split("\n");
      missing.push({ prefix, reason });
    }
  return missing;
}
