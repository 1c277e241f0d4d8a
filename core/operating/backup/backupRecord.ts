import type { BackupRecord } from "./recordCheck.ts";
import type { Vault } from "./vault/openVault.ts";

export type { BackupRecord, BackupSequence, BackupTable } from "./recordCheck.ts";

const folder = "backups";
const nameOf = (id: string) => `${folder}/${id}.json`;

/** Returns the ids of a place's backups, oldest first. */
export async function listBackups(vault: Vault): Promise<readonly string[]> {
  const names = await vault.listDocuments(folder);
  return names.map((name) => name.slice(folder.length + 1).replace(/\.json$/, "")).toSorted();
}

/** @throws {Error} when there is no such backup, or its record is damaged or of another format */
export async function readBackup(vault: Vault, id: string): Promise<BackupRecord> {
  const value = await vault.readDocument(nameOf(id));
  if (value === undefined)
    throw new Error(
      `there is no backup ${id}; the place has ${(await listBackups(vault)).join(", ")}`,
    );
  // A backup reads no record, and need not load the library that checks one.
  const { recordCheck } = await import("./recordCheck.ts");
  if (recordCheck.Check(value)) return value;
  throw new Error(`the record of the backup ${id} is damaged, or of another version of manifold`);
}

/** Makes a backup count: until its record is written there is none. */
export async function writeBackup(vault: Vault, record: BackupRecord): Promise<void> {
  await vault.writeDocument(nameOf(record.id), record);
}

/** Removes backups, and the pieces that no other backup of the place needs. Returns how many pieces went. */
export async function removeBackups(vault: Vault, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const kept = (await listBackups(vault)).filter((id) => !ids.includes(id));
  const needed = new Set<string>();
  for (const id of kept)
    for (const piece of piecesOf(await readBackup(vault, id))) needed.add(piece);
  // A backup whose record is gone is none, so pieces that stay after a crash are only rubbish.
  for (const id of ids) await vault.removeDocument(nameOf(id));
  const unused = [...vault.pieces()].filter((piece) => !needed.has(piece));
  for (const piece of unused) await vault.removePiece(piece);
  return unused.length;
}

/** All pieces that a backup needs. */
export function piecesOf({ store, catalog }: BackupRecord): readonly string[] {
  return [...store.files, ...catalog.tables].flatMap(({ pieces }) => pieces);
}
