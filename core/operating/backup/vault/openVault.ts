import { hash } from "node:crypto";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { isObject } from "../../../base/index.ts";
import type { Place } from "../place/place.ts";
import { createEncryption, openSealing, type Encryption } from "./sealing.ts";

/** A place of backups: pieces by their contents, which backups share, and documents; sealed when it is encrypted. */
export interface Vault {
  readonly isEncrypted: boolean;
  /**
   * Keeps a piece, unless the place has it, and returns its name. It survives a crash once a document was written. The
   * bytes may change after the call.
   */
  keep(bytes: Uint8Array, options?: { readonly isPacked?: boolean }): Promise<string>;
  /** @throws {Error} when the piece is gone or damaged */
  find(piece: string): Promise<Uint8Array>;
  pieces(): ReadonlySet<string>;
  removePiece(piece: string): Promise<void>;
  writeDocument(name: string, value: object): Promise<void>;
  /** Undefined when there is none. @throws {Error} when it is damaged */
  readDocument(name: string): Promise<unknown>;
  listDocuments(folder: string): Promise<readonly string[]>;
  removeDocument(name: string): Promise<void>;
  /** Bytes that this vault has written to the place since it was opened, and bytes that it found there. */
  readonly counts: { writtenBytes: number; foundBytes: number };
}

export interface VaultOptions {
  readonly place: Place;
  /** Encrypts a new place; required for one that is encrypted. */
  readonly passphrase: string | undefined;
  /** Makes a place that is not there yet. */
  readonly isNew?: boolean;
}

const formatVersion = 1;
const headName = "manifold-backups.json";
const pieceFolder = "pieces";

const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);
/** First byte of a piece: its bytes as they are, or packed by Zstandard. */
const plainForm = 0;
const packedForm = 1;

const digest = (bytes: Uint8Array) => hash("sha256", bytes);

const nameOf = (piece: string) => `${pieceFolder}/${piece.slice(0, 2)}/${piece}`;

/**
 * Opens a place as a vault.
 * @throws {Error} when the place is not one of backups, is encrypted and no passphrase is given, or the other way round
 */
export async function openVault({
  place,
  passphrase,
  isNew = false,
}: VaultOptions): Promise<Vault> {
  const encryption = await readHead(place, passphrase, isNew);
  if (isNew) await place.clean();
  const sealing = encryption && passphrase ? await openSealing(passphrase, encryption) : undefined;
  const counts = { writtenBytes: 0, foundBytes: 0 };
  const names = await place.list(pieceFolder);
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
      await place.stage(nameOf(piece), parts);
      for (const part of parts) counts.writtenBytes += part.length;
      pieces.add(piece);
      return piece;
    },
    async find(piece) {
      await place.settle();
      const stored = await place.read(nameOf(piece));
      if (!stored) throw new Error(`the place lacks the piece ${piece}; the backup is not whole`);
      const opened = sealing ? sealing.open(piece, stored) : stored;
      const body = opened.subarray(1);
      const damaged = new Error(
        `the piece ${piece} is damaged: its bytes are others than were kept`,
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
      await place.remove(nameOf(piece));
      pieces.delete(piece);
    },
    async writeDocument(name, value) {
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      // A document may name pieces, so they are there before it is.
      await place.settle();
      await place.write(name, sealing ? Buffer.concat(sealing.seal(name, [bytes])) : bytes);
    },
    async readDocument(name) {
      const stored = await place.read(name);
      if (!stored) return undefined;
      const bytes = sealing ? sealing.open(name, stored) : stored;
      return parse(bytes, name);
    },
    listDocuments: (folder) => place.list(folder),
    removeDocument: (name) => place.remove(name),
  };
}

function parse(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new Error(`${name} is damaged: it is not JSON`, { cause });
  }
}

/** Reads how a place is encrypted, or makes it. */
async function readHead(
  place: Place,
  passphrase: string | undefined,
  isNew: boolean,
): Promise<Encryption | undefined> {
  const stored = await place.read(headName);
  if (!stored) {
    if (!isNew)
      throw new Error(`${place.title} holds no backups: it has no ${headName}; check the address`);
    const encryption = passphrase ? await createEncryption(passphrase) : undefined;
    const head = { format: formatVersion, ...(encryption && { encryption }) };
    await place.write(headName, new TextEncoder().encode(`${JSON.stringify(head)}\n`));
    return encryption;
  }
  const head = parse(stored, headName);
  if (!isObject<"format">(head) || head.format !== formatVersion)
    throw new Error(
      `${place.title} has backups of format ${isObject<"format">(head) ? String(head.format) : "unknown"}; this version of manifold reads ${formatVersion}`,
    );
  const { encryption } = head;
  if (encryption === undefined) {
    if (passphrase)
      throw new Error(
        `${place.title} is not encrypted; leave MANIFOLD_BACKUP_PASSPHRASE out, or choose another place`,
      );
    return undefined;
  }
  if (!isEncryption(encryption))
    throw new Error(`${headName} is damaged: its encryption is not known`);
  if (!passphrase)
    throw new Error(
      `${place.title} is encrypted; set MANIFOLD_BACKUP_PASSPHRASE to its passphrase`,
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
