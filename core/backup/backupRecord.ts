import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";
import type { Vault } from "./vault/openVault.ts";

const Pieces = Type.Array(Type.String({ pattern: "^[0-9a-f]{64}$" }));
const Count = Type.Integer({ minimum: 0 });

const BackupTable = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  columns: Type.Array(Type.String()),
  rowCount: Count,
  /** The rows as COPY writes them, in text format and UTF-8. */
  pieces: Pieces,
});

const BackupSequence = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  value: Type.String({ pattern: "^-?[0-9]+$" }),
  isCalled: Type.Boolean(),
});

const BackupRecord = Type.Object({
  format: Type.Literal(1),
  id: Type.String(),
  /** When the one moment was that the backup shows. */
  takenAt: Type.String(),
  /** The version of the package that took it. */
  version: Type.String(),
  /** Distinguishes the secret of the host from another one. */
  secretCheck: Type.String(),
  /** The secret itself, in encrypted places alone. */
  secret: Type.Optional(Type.String()),
  store: Type.Object({
    slug: Type.String(),
    datasetCount: Count,
    rowCount: Count,
    files: Type.Array(Type.Object({ name: Type.String(), sizeBytes: Count, pieces: Pieces })),
  }),
  catalog: Type.Object({
    migrations: Type.Array(Type.String()),
    tables: Type.Array(BackupTable),
    sequences: Type.Array(BackupSequence),
  }),
});

/** A backup: its moment, and the pieces that hold the store's files and the catalog's tables. */
export type BackupRecord = Static<typeof BackupRecord>;
export type BackupTable = Static<typeof BackupTable>;
export type BackupSequence = Static<typeof BackupSequence>;

const check = Compile(BackupRecord);
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
  if (check.Check(value)) return value;
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
