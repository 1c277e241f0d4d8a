import { installPackages } from "../../packages/installPackages.ts";
import { peers, requirePeer } from "./systems/requirePeer.ts";

/** A peer that cannot be measured on this machine, with the reason. */
export interface MissingPeer {
  readonly prefix: string;
  readonly reason: string;
}

const packages = { clickhouse: "chdb", polars: "nodejs-polars" } as const;

/** Installs ClickHouse and Polars for Node.js, or only those that are named, if they are missing. */
export async function installPeers(
  wanted: readonly (keyof typeof packages)[] = ["clickhouse", "polars"],
): Promise<readonly MissingPeer[]> {
  const missing: MissingPeer[] = [];
  for (const prefix of wanted) {
    const name = packages[prefix];
    try {
      await installPackages({
        set: peers[name],
        announce: (line) => void process.stdout.write(line),
      });
      requirePeer(name);
    } catch (error) {
      const [reason = ""] = String((error as Error).message).split("\n");
      missing.push({ prefix, reason });
    }
  }
  return missing;
}
