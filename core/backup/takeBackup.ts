import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { resolve } from "node:path";
import { Client } from "pg";
import { writeBackup, type BackupRecord } from "./backupRecord.ts";
import { copyCatalog } from "./catalog/copyCatalog.ts";
import type { HostSnapshot } from "./holdSnapshot.ts";
import { keepFiles } from "./keepFiles.ts";
import type { Vault } from "./vault/openVault.ts";

/**
 * Keeps a snapshot of a host in a vault. Pieces that the vault has from earlier backups are not written again.
 * @throws {Error} when the catalog, a file or the place fails: then there is no backup
 */
export async function takeBackup(
  snapshot: HostSnapshot,
  vault: Vault,
  version: string,
): Promise<BackupRecord> {
  const { takenAt, secret, store, catalog } = snapshot;
  const client = new Client({ ...catalog.address });
  // The query that runs says what happened to its connection.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query(
      `set transaction snapshot '${catalog.transactionSnapshot.replaceAll("'", "''")}'`,
    );
    const [copied, files] = await bothOf(
      copyCatalog(client, vault),
      keepFiles(vault, resolve(store.folder), store.files),
    );
    const { slug, datasetCount, rowCount } = store;
    const record: BackupRecord = {
      format: 1,
      id: takenAt.replaceAll(":", "-"),
      takenAt,
      version,
      secretCheck: checkOf(secret, randomBytes(16)),
      ...(vault.isEncrypted && { secret }),
      store: { slug, datasetCount, rowCount, files },
      catalog: copied,
    };
    await writeBackup(vault, record);
    return record;
  } finally {
    await client.end();
  }
}

/** Waits for both, also when one fails. @throws what the first of them that failed has thrown */
async function bothOf<One, Two>(one: Promise<One>, two: Promise<Two>): Promise<[One, Two]> {
  await Promise.allSettled([one, two]);
  return [await one, await two];
}

/** Returns whether a secret is the one of the host that was backed up. */
export function isSecretOf(record: Pick<BackupRecord, "secretCheck">, secret: string): boolean {
  const [salt = ""] = record.secretCheck.split(":");
  const [expected, given] = [record.secretCheck, checkOf(secret, Buffer.from(salt, "base64"))].map(
    (text) => Buffer.from(text),
  );
  return expected?.length === given?.length && timingSafeEqual(expected!, given!);
}

const checkOf = (secret: string, salt: Uint8Array): string =>
  `${Buffer.from(salt).toString("base64")}:${scryptSync(secret, salt, 32).toString("base64")}`;
