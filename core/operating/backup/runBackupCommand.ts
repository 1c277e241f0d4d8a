import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { type Config, packageVersion, readConfig } from "../../base/index.ts";
import { requestHost } from "../operator/index.ts";
import { listBackups, piecesOf, readBackup, removeBackups } from "./backupRecord.ts";
import type { HostSnapshot } from "./holdSnapshot.ts";
import { isHostSnapshot } from "./isHostSnapshot.ts";
import { openDestination } from "./destination/openDestination.ts";
import { takeBackup } from "./takeBackup.ts";
import { openVault } from "./vault/openVault.ts";

/** The help of `manifold backup` and `manifold restore`, one string per line. */
export const backupUsage = [
  "manifold backup DESTINATION",
  "                           backs up catalog and store at one instant, while the host runs or is stopped",
  "    --keep COUNT           removes all backups in the destination except the newest COUNT",
  "    --list                 lists the backups in the destination instead",
  "manifold restore DESTINATION",
  "                           creates a host from the newest backup, in an empty data folder and database",
  "    --backup ID            restores another backup",
  "    --check                reads every piece of the backup, and writes nothing",
  "    --lose-secrets         restores without the secret of the host; passwords of connections are lost",
  "    DESTINATION is a folder or s3://bucket/prefix (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION,",
  "    AWS_ENDPOINT_URL); MANIFOLD_BACKUP_PASSPHRASE encrypts new backups. --data-dir names the host's folder",
] as const;

export interface BackupCommand {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly write: (line: string) => void;
  /** Writes a message that is not part of the result. */
  readonly note: (line: string) => void;
}

const sizeOf = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/**
 * Runs `manifold backup`.
 * @throws {Error} for an invalid argument, and if the backup failed, so that the destination contains no backup of this
 * instant
 */
export async function runBackupCommand(
  args: readonly string[],
  command: BackupCommand,
): Promise<void> {
  const { environment, write, note } = command;
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      keep: { type: "string" },
      list: { type: "boolean" },
      "data-dir": { type: "string" },
    },
    allowPositionals: true,
  });
  const config = readConfig({ dataDir: values["data-dir"] }, environment);
  const address = destinationOf(positionals, "backup");
  const destination = openDestination(address, environment);
  const keepCount = countOf(values.keep);
  if (values.list && keepCount !== undefined) throw new Error("use --list or --keep, not both");
  const passphrase = environment["MANIFOLD_BACKUP_PASSPHRASE"] || undefined;
  if (!values.list) refuseOwnFolder(address, config);
  const vault = await openVault({ destination, passphrase, isNew: !values.list });
  if (values.list) {
    const ids = await listBackups(vault);
    for (const id of ids) {
      const { version, store } = await readBackup(vault, id);
      write(`${id}  ${store.datasetCount} datasets  ${store.rowCount} rows  version ${version}`);
    }
    if (ids.length === 0) write("the destination contains no backups");
    return;
  }
  const startMs = performance.now();
  const taken = await withSnapshot(config, (snapshot) =>
    takeBackup(snapshot, vault, packageVersion()),
  );
  const { writtenBytes, foundBytes } = vault.counts;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  write(
    `backup ${taken.id}: ${taken.store.datasetCount} datasets, ${taken.store.rowCount} rows, ${taken.catalog.tables.length} tables of the catalog`,
  );
  write(
    `${sizeOf(writtenBytes)} written to ${destination.title}, ${sizeOf(foundBytes)} already stored there, ${seconds} s`,
  );
  if (!vault.isEncrypted)
    note(
      "the destination is not encrypted, so the backup does not contain the secret; keep MANIFOLD_SECRET, or the file `secret` of the data folder, in another place",
    );
  if (keepCount === undefined) return;
  const ids = await listBackups(vault);
  const old = ids.slice(0, Math.max(0, ids.length - keepCount));
  const pieceCount = await removeBackups(vault, old);
  if (old.length > 0) write(`removed ${old.length} older backups with ${pieceCount} pieces`);
}

/**
 * Runs `manifold restore`.
 * @throws {Error} for an invalid argument, a data folder or database that is not empty, and an incomplete backup
 */
export async function runRestoreCommand(
  args: readonly string[],
  command: BackupCommand,
): Promise<void> {
  const { environment, write, note } = command;
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      backup: { type: "string" },
      check: { type: "boolean" },
      "lose-secrets": { type: "boolean" },
      "data-dir": { type: "string" },
    },
    allowPositionals: true,
  });
  const destination = openDestination(destinationOf(positionals, "restore"), environment);
  const passphrase = environment["MANIFOLD_BACKUP_PASSPHRASE"] || undefined;
  const vault = await openVault({ destination, passphrase });
  const ids = await listBackups(vault);
  const id = values.backup ?? ids.at(-1);
  if (id === undefined) throw new Error(`${destination.title} has no backup yet`);
  const record = await readBackup(vault, id);
  if (values.check) {
    const pieces = new Set(piecesOf(record));
    let sizeBytes = 0;
    for (const piece of pieces) sizeBytes += (await vault.find(piece)).length;
    write(`backup ${id} is complete: ${pieces.size} pieces, ${sizeOf(sizeBytes)}`);
    return;
  }
  const config = readConfig({ dataDir: values["data-dir"] }, environment);
  const startMs = performance.now();
  const log = {
    info: () => undefined,
    warn: (_: object, message: string) => note(message),
    error: (_: object, message: string) => note(message),
  };
  // These modules are loaded here, because taking a backup does not need them.
  const { restoreBackup } = await import("./restoreBackup.ts");
  const restored = await restoreBackup({
    vault,
    record,
    config,
    log,
    losesSecrets: values["lose-secrets"] ?? false,
  });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  write(
    `restored ${id} into ${config.dataDir}: ${restored.datasetCount} datasets, ${restored.rowCount} rows, ${restored.recordCount} records, ${seconds} s`,
  );
  if (config.secret !== undefined && config.databaseUrl === undefined)
    note(
      `start this host with the same MANIFOLD_SECRET, or write it into the file ${join(config.dataDir, "secret")}`,
    );
}

/** Runs a function on a snapshot of a running or stopped host. */
async function withSnapshot<Result>(
  config: Config,
  run: (snapshot: HostSnapshot) => Promise<Result>,
): Promise<Result> {
  const host = await requestHost(config.dataDir, "snapshot");
  if (host) {
    try {
      const { answer } = host;
      if (isHostSnapshot(answer)) return await run(answer);
      throw new Error(
        "the running host has another version; use the `manifold` command of that version",
      );
    } finally {
      await host.end();
    }
  }
  const { snapshotOfStopped } = await import("./snapshotOfStopped.ts");
  const stopped = await snapshotOfStopped(config);
  try {
    return await run(stopped.snapshot);
  } finally {
    await stopped.end();
  }
}

function destinationOf(positionals: readonly string[], command: string): string {
  const [destination, ...others] = positionals;
  if (destination === undefined || destination === "")
    throw new Error(`${command} requires a destination: a folder, or s3://bucket/prefix`);
  if (others.length > 0)
    throw new Error(`${command} accepts only one destination; remove ${others[0]}`);
  return destination;
}

/**
 * Refuses a destination within the data folder, because the backup would be lost with the folder.
 * @throws {Error}
 */
function refuseOwnFolder(address: string, { dataDir }: Config): void {
  if (address.includes("://")) return;
  const path = relative(resolve(dataDir), resolve(address));
  const [first = ""] = path.split(sep);
  if (first === ".." || isAbsolute(path)) return;
  throw new Error(
    `${address} is in the data folder ${dataDir} and would be lost with it; choose a destination on another disk`,
  );
}

function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && text.trim() !== "") return count;
  throw new Error(`--keep must be a whole number of 1 or more, not ${JSON.stringify(text)}`);
}
