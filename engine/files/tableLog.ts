import { EngineError } from "../errors.ts";
import { BufferPool } from "../memory/bufferPool.ts";
import type { Files, LogFile } from "./files.ts";
import { createFileHeader, createFrame, fileHeaderBytes } from "./frame.ts";
import { writeFailed } from "./writeFailed.ts";

/** Pieces smaller than this are combined into one write. */
const largePieceBytes = 2 ** 18;
/**
 * A sync starts whenever this many bytes of parts have been written, so that little is left to write for the final sync
 * of the change.
 */
const bytesPerSync = 2 ** 24;
/** Maximum size, in bytes, of a piece that may be copied byte by byte. */
const alignedPieceBytes = 2 ** 13;
const wordBytes = 8;
const stagingBytes = 2 ** 20;
/**
 * Buffers that combine small pieces. All logs share and reuse them; otherwise, V8 would have to collect the garbage of
 * every write.
 */
const stagingBuffers = new BufferPool();

/** The append-only file of one generation of a table. */
export class TableLog {
  readonly path: string;
  readonly #files: Files;
  #file: LogFile;
  #goodBytes: number;
  /** End offset of the parts of an uncommitted change; undefined if there is no uncommitted change. */
  #openBytes: number | undefined;
  /** End offset of the last part whose sync has started. */
  #syncedBytes = 0;
  /** The sync that runs while more parts are written. The promise resolves to the failure of the sync, if it failed. */
  #syncing: Promise<{ readonly failure?: unknown }> | undefined;
  #broken: string | undefined;

  private constructor(files: Files, path: string, file: LogFile, goodBytes: number) {
    this.#files = files;
    this.path = path;
    this.#file = file;
    this.#goodBytes = goodBytes;
  }

  /** Bytes of the header and of all frames that are written and synced. */
  get sizeBytes(): number {
    return this.#goodBytes;
  }

  /** Creates a file with its header and first frames, and syncs it. Removes the file on failure. */
  static async create(
    files: Files,
    path: string,
    payloads: Iterable<readonly Uint8Array[]>,
  ): Promise<TableLog> {
    let log: TableLog | undefined;
    try {
      log = new TableLog(files, path, await files.openLog(path, true), fileHeaderBytes);
      await log.#file.write(createFileHeader(), 0);
      await log.append(payloads);
      return log;
    } catch (cause) {
      await log?.close().catch(() => undefined);
      await files.remove(path).catch(() => undefined);
      throw cause instanceof EngineError ? cause : writeFailed(cause);
    }
  }

  /** Opens a file for appending after `goodBytes`. Removes a torn tail. */
  static async open(
    files: Files,
    path: string,
    goodBytes: number,
    sizeBytes: number,
  ): Promise<TableLog> {
    if (sizeBytes > goodBytes) await files.truncate(path, goodBytes);
    const file = await files.openLog(path, false);
    try {
      if (sizeBytes > goodBytes) await file.sync();
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    return new TableLog(files, path, file, goodBytes);
  }

  /**
   * Writes frames and syncs them once. A payload consists of pieces, and is requested only after the previous payload
   * is written. If a write fails, the file is truncated to the last complete frame. If truncating also fails, the log
   * accepts no more writes until it is reopened.
   * @throws {EngineError} STORE_WRITE_FAILED
   */
  async append(payloads: Iterable<readonly Uint8Array[]>): Promise<void> {
    this.#checkSound();
    try {
      const end = await this.#write(payloads, this.#openBytes ?? this.#goodBytes);
      await this.#endSync();
      await this.#file.sync();
      this.#goodBytes = end;
      this.#openBytes = undefined;
    } catch (cause) {
      await this.#cutBack();
      throw writeFailed(cause);
    }
  }

  /**
   * Writes a part of a change. The change takes effect when its last frame is appended. If a write fails, all parts are
   * removed, as `cancel` does.
   * @throws {EngineError} STORE_WRITE_FAILED
   */
  async appendPart(payload: readonly Uint8Array[]): Promise<void> {
    this.#checkSound();
    try {
      this.#openBytes = await this.#write([payload], this.#openBytes ?? this.#goodBytes);
      await this.#beginSync();
    } catch (cause) {
      await this.#cutBack();
      throw writeFailed(cause);
    }
  }

  /**
   * Like `appendPart`, for a part that is already a frame.
   * @throws {EngineError} STORE_WRITE_FAILED
   */
  async appendFrame(frame: Uint8Array): Promise<void> {
    this.#checkSound();
    const from = this.#openBytes ?? this.#goodBytes;
    try {
      await this.#file.write(frame, from);
      this.#openBytes = from + frame.length;
      await this.#beginSync();
    } catch (cause) {
      await this.#cutBack();
      throw writeFailed(cause);
    }
  }

  /** Removes the parts of an abandoned change from the log. */
  async cancel(): Promise<void> {
    if (this.#openBytes !== undefined) await this.#cutBack();
  }

  async close(): Promise<void> {
    await this.#syncing;
    await this.#file.close();
  }

  #checkSound(): void {
    if (this.#broken) throw new EngineError("STORE_WRITE_FAILED", [this.#broken]);
  }

  /** Writes frames at a position and returns the end position. */
  async #write(payloads: Iterable<readonly Uint8Array[]>, from: number): Promise<number> {
    let position = from;
    const staging = stagingBuffers.take(stagingBytes);
    for (const bytes of gather(framesOf(payloads), new Uint8Array(staging))) {
      await this.#file.write(bytes, position);
      position += bytes.length;
    }
    stagingBuffers.give(staging);
    return position;
  }

  /** Starts a sync if enough parts have been written. Only the next sync waits for this sync. */
  async #beginSync(): Promise<void> {
    const end = this.#openBytes ?? 0;
    if (end - Math.max(this.#goodBytes, this.#syncedBytes) < bytesPerSync) return;
    await this.#endSync();
    this.#syncedBytes = end;
    this.#syncing = this.#file.sync().then(
      () => ({}),
      (failure: unknown) => ({ failure }),
    );
  }

  async #endSync(): Promise<void> {
    const ended = await this.#syncing;
    this.#syncing = undefined;
    if (ended && "failure" in ended) throw ended.failure;
  }

  /**
   * Truncates the file to the last complete frame. After a failed sync, the operating system may have dropped the pages
   * and forgotten the error, so the file handle is not used again.
   */
  async #cutBack(): Promise<void> {
    this.#openBytes = undefined;
    await this.#syncing;
    this.#syncing = undefined;
    this.#syncedBytes = 0;
    try {
      await this.#file.close();
      await this.#files.truncate(this.path, this.#goodBytes);
      this.#file = await this.#files.openLog(this.path, false);
      await this.#file.sync();
    } catch (error) {
      this.#broken = `the table is read-only until the store is reopened, because a failed write could not be undone: ${messageOf(error)}`;
    }
  }
}

/**
 * Returns the pieces of all frames. Each payload is requested only after the previous payload has been written or
 * copied.
 */
function* framesOf(payloads: Iterable<readonly Uint8Array[]>): Generator<Uint8Array, void> {
  for (const payload of payloads) yield* createFrame(payload);
}

/**
 * Combines consecutive small pieces in `staging`, which is reused for the next block. Large pieces are returned without
 * a copy. V8 copies shared bytes one by one unless source and target have the same alignment within a word. A piece
 * with another alignment therefore starts a new block.
 */
function* gather(pieces: Iterable<Uint8Array>, staging: Uint8Array): Generator<Uint8Array, void> {
  let from = 0;
  let end = 0;
  for (const piece of pieces) {
    const isLarge = piece.length >= largePieceBytes;
    const shift = piece.byteOffset % wordBytes;
    const isAskew = piece.length >= alignedPieceBytes && end % wordBytes !== shift;
    if (isLarge || isAskew || end + piece.length > staging.length) {
      if (end > from) yield staging.subarray(from, end);
      from = end = shift;
    }
    if (isLarge) yield piece;
    else {
      staging.set(piece, end);
      end += piece.length;
    }
  }
  if (end > from) yield staging.subarray(from, end);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
