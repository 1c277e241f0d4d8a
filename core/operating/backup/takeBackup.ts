import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { writeBackup, type BackupRecord } from "./backupRecord.ts";
import { copyCatalog } from "./catalog/copyCatalog.ts";
import type { HostSnapshot } from "./holdSnapshot.ts";
import { keepFiles } from "./keepFiles.ts";
import type { Vault } from "./vault/openVault.ts";

/**
 * Stores a snapshot of a host in a vault. Pieces that the vault contains from earlier backups are not written again.
 * @throws {Error} if the catalog, a file or the destination fails; the vault then contains no new backup
 */
export async function takeBackup(
  snapshot: HostSnapshot,
  vault: Vault,
  version: string,
): Promise<BackupRecord> {
  const { takenAt, secret, store, catalog } = snapshot;
  const { slug, datasetCount, rowCount } = store;
  const [[copied, files], secretCheck] = await bothOf(
    bothOf(copySnapshot(catalog, vault), keepFiles(vault, resolve(store.folder), store.files)),
    checkOf(secret, randomBytes(16)),
  );
  const record: BackupRecord = {
    format: 1,
    id: takenAt.replaceAll(":", "-"),
    takenAt,
    version,
    secretCheck,
    ...(vault.isEncrypted && { secret }),
    store: { slug, datasetCount, rowCount, files },
    catalog: copied,
  };
  await writeBackup(vault, record);
  return record;
}

/** Copies the catalog as an exported snapshot of PostgreSQL shows it. */
async function copySnapshot(
  { address, transactionSnapshot }: HostSnapshot["catalog"],
  vault: Vault,
): Promise<BackupRecord["catalog"]> {
  const client = new Client({ ...address });
  // If the connection fails, the running query reports the error.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query(`set transaction snapshot '${transactionSnapshot.replaceAll("'", "''")}'`);
    return await copyCatalog(client, vault);
  } finally {
    await client.end();
  }
}

/**
 * Waits for both promises, even if one of them rejects.
 * @throws the error of the promise that rejected first
 */
async function bothOf<One, Two>(one: Promise<One>, two: Promise<Two>): Promise<[One, Two]> {
  await Promise.allSettled([one, two]);
  return [await one, await two];
}

/** Returns whether a secret is the secret of the backed-up host. */
export async function isSecretOf(
  record: Pick<BackupRecord, "secretCheck">,
  secret: string,
): Promise<boolean> {
  const [salt = ""] = record.secretCheck.split(":");
  const given = Buffer.from(await checkOf(secret, Buffer.from(salt, "base64")));
  const expected = Buffer.from(record.secretCheck);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);
/** The scrypt costs of format 1. */
const costs = { cost: 2 ** 14, blockSize: 8, parallelization: 1 };

async function checkOf(secret: string, salt: Uint8Array): Promise<string> {
  const check = await derive(secret, salt, 32, costs);
  return `${Buffer.from(salt).toString("base64")}:${check.toString("base64")}`;
}
