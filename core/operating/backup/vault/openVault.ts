import { hash } from "node:crypto";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { isObject } from "../../../base/index.ts";
import type { BackupDestination } from "../destination/backupDestination.ts";
import { createEncryption, openSealing, type Encryption } from "./sealing.ts";

/**
 * The content of a backup destination: documents, and pieces named by their content. Backups share pieces. If the
 * destination is encrypted, documents and pieces are sealed.
 */
export interface Vault {
  readonly isEncrypted: boolean;
  /**
   * Stores a piece unless the destination already contains it, and returns its name. The piece survives a crash once a
   * document has been written after the piece. The caller may change the bytes after this call.
   */
  keep(bytes: Uint8Array, options?: { readonly isPacked?: boolean }): Promise<string>;
  /**
   * Reads a piece.
   * @throws {Error} if the piece is missing or damaged
   */
  find(piece: string): Promise<Uint8Array>;
  pieces(): ReadonlySet<string>;
  removePiece(piece: string): Promise<void>;
  writeDocument(name: string, value: object): Promise<void>;
  /**
   * Reads a document; undefined if it does not exist.
   * @throws {Error} if the document is damaged
   */
  readDocument(name: string): Promise<unknown>;
  listDocuments(folder: string): Promise<readonly string[]>;
  removeDocument(name: string): Promise<void>;
  /**
   * Number of bytes that this vault has written, and of bytes that it found in the destination, since it was opened.
   */
  readonly counts: { writtenBytes: number; foundBytes: number };
}

export interface VaultOptions {
  readonly destination: BackupDestination;
  /** The passphrase with which a new destination is encrypted. Required for an encrypted destination. */
  readonly passphrase: string | undefined;
  /** Whether to create the destination if it does not exist. */
  readonly isNew?: boolean;
}

const formatVersion = 1;
const headName = "manifold-backups.json";
const pieceFolder = "pieces";

const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);
/** First byte of a piece, which says whether the following bytes are uncompressed or compressed with Zstandard. */
const plainForm = 0;
const packedForm = 1;

const digest = (bytes: Uint8Array) => hash("sha256", bytes);

const nameOf = (piece: string) => `${pieceFolder}/${piece.slice(0, 2)}/${piece}`;

/**
 * Opens the vault of a destination.
 * @throws {Error} if the destination has no backups, is encrypted but no passphrase is set, or is not encrypted but a
 * passphrase is set
 */
export async function openVault({
  destination,
  passphrase,
  isNew = false,
}: VaultOptions): Promise<Vault> {
  const encryption = await readHead(destination, passphrase, isNew);
  if (isNew) await destination.clean();
  const sealing = encryption && passphrase ? await openSealing(passphrase, encryption) : undefined;
  const counts = { writtenBytes: 0, foundBytes: 0 };
  const names = await destination.list(pieceFolder);
  const pieces = new Set(names.map((name) => name.slice(name.lastIndexOf("/") + 1)));
  const pieceOf = sealing?.digest ?? digest;
  return {
    isEncrypted: sealing !== undefined,
    counts,
    async keep(bytes, { isPacked = false } = {}) {
      const piece = pieceOf(bytes);
      if (pieces.has(piece)) {
        counts.foundBytes += bytes.length;
        return piece;
      }
      const body = isPacked ? await pack(bytes) : bytes;
      const plain = [Uint8Array.of(isPacked ? packedForm : plainForm), body];
      const parts = sealing ? sealing.seal(piece, plain) : plain;
      await destination.stage(nameOf(piece), parts);
      for (const part of parts) counts.writtenBytes += part.length;
      pieces.add(piece);
      return piece;
    },
    async find(piece) {
      await destination.settle();
      const stored = await destination.read(nameOf(piece));
      if (!stored) throw new Error(`the piece ${piece} is missing, so the backup is incomplete`);
      const opened = sealing ? sealing.open(piece, stored) : stored;
      const body = opened.subarray(1);
      const damaged = new Error(
        `the piece ${piece} is damaged: its content does not match its name`,
      );
      if (opened[0] !== packedForm && opened[0] !== plainForm) throw damaged;
      const bytes =
        opened[0] === packedForm
          ? await unpack(body).catch((cause: unknown) => {
              damaged.cause = cause;
              throw damaged;
            })
          : body;
      if (pieceOf(bytes) !== piece) throw damaged;
      return bytes;
    },
    pieces: () => pieces,
    async removePiece(piece) {
      await destination.remove(nameOf(piece));
      pieces.delete(piece);
    },
    async writeDocument(name, value) {
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      // Wait for the pieces, because the document may refer to them.
      await destination.settle();
      await destination.write(name, sealing ? Buffer.concat(sealing.seal(name, [bytes])) : bytes);
    },
    async readDocument(name) {
      const stored = await destination.read(name);
      if (!stored) return undefined;
      const bytes = sealing ? sealing.open(name, stored) : stored;
      return parse(bytes, name);
    },
    listDocuments: (folder) => destination.list(folder),
    removeDocument: (name) => destination.remove(name),
  };
}

function parse(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new Error(`${name} is damaged: it must be JSON`, { cause });
  }
}

/** Reads the encryption of a destination, or creates it for a new destination. */
async function readHead(
  destination: BackupDestination,
  passphrase: string | undefined,
  isNew: boolean,
): Promise<Encryption | undefined> {
  const stored = await destination.read(headName);
  if (!stored) {
    if (!isNew)
      throw new Error(
        `${destination.title} contains no backups, because it has no ${headName}; check the address`,
      );
    const encryption = passphrase ? await createEncryption(passphrase) : undefined;
    const head = { format: formatVersion, ...(encryption && { encryption }) };
    await destination.write(headName, new TextEncoder().encode(`${JSON.stringify(head)}\n`));
    return encryption;
  }
  const head = parse(stored, headName);
  if (!isObject<"format">(head) || head.format !== formatVersion)
    throw new Error(
      `${destination.title} has backups of format ${isObject<"format">(head) ? String(head.format) : "unknown"}; this version of manifold reads format ${formatVersion}`,
    );
  const { encryption } = head;
  if (encryption === undefined) {
    if (passphrase)
      throw new Error(
        `${destination.title} is not encrypted; unset MANIFOLD_BACKUP_PASSPHRASE, or choose another destination`,
      );
    return undefined;
  }
  if (!isEncryption(encryption))
    throw new Error(`${headName} is damaged: its encryption is unknown`);
  if (!passphrase)
    throw new Error(
      `${destination.title} is encrypted; set MANIFOLD_BACKUP_PASSPHRASE to its passphrase`,
    );
  return encryption;
}

function isEncryption(value: unknown): value is Encryption {
  return (
    isObject<"kind">(value) &&
    value.kind === "scrypt" &&
    ["cost", "blockSize", "parallelization"].every((member) => Number.isInteger(value[member])) &&
    ["salt", "check"].every((member) => typeof value[member] === "string")
  );
}
