import type { BackupRecord } from "./recordCheck.ts";
import type { Vault } from "./vault/openVault.ts";

export type { BackupRecord, BackupSequence, BackupTable } from "./recordCheck.ts";

const folder = "backups";
const nameOf = (id: string) => `${folder}/${id}.json`;

/** Returns the ids of the backups in a destination, oldest first. */
export async function listBackups(vault: Vault): Promise<readonly string[]> {
  const names = await vault.listDocuments(folder);
  return names.map((name) => name.slice(folder.length + 1).replace(/\.json$/, "")).toSorted();
}

/**
 * Reads the record of a backup.
 * @throws {Error} if the backup does not exist, or its record is damaged or has another format
 */
export async function readBackup(vault: Vault, id: string): Promise<BackupRecord> {
  const value = await vault.readDocument(nameOf(id));
  if (value === undefined)
    throw new Error(
      `the backup ${id} does not exist; the destination contains ${(await listBackups(vault)).join(", ")}`,
    );
  // The library that checks records is loaded here, because taking a backup does not need it.
  const { recordCheck } = await import("./recordCheck.ts");
  if (recordCheck.Check(value)) return value;
  throw new Error(
    `the record of the backup ${id} is damaged, or was written by another version of manifold`,
  );
}

/** Writes the record that completes a backup. A backup without a record does not exist. */
export async function writeBackup(vault: Vault, record: BackupRecord): Promise<void> {
  await vault.writeDocument(nameOf(record.id), record);
}

/**
 * Removes backups, and the pieces that no other backup in the destination needs. Returns the number of removed pieces.
 */
export async function removeBackups(vault: Vault, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const kept = (await listBackups(vault)).filter((id) => !ids.includes(id));
  const needed = new Set<string>();
  for (const id of kept)
    for (const piece of piecesOf(await readBackup(vault, id))) needed.add(piece);
  // Remove the records first: if the process crashes, pieces without a record do no harm.
  for (const id of ids) await vault.removeDocument(nameOf(id));
  const unused = [...vault.pieces()].filter((piece) => !needed.has(piece));
  for (const piece of unused) await vault.removePiece(piece);
  return unused.length;
}

/** Returns the names of all pieces that a backup needs. */
export function piecesOf({ store, catalog }: BackupRecord): readonly string[] {
  return [...store.files, ...catalog.tables].flatMap(({ pieces }) => pieces);
}
