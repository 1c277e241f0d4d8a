import { EngineError } from "../errors.ts";
import { BufferPool } from "../memory/bufferPool.ts";
import type { Files, LogFile } from "./files.ts";
import { createFileHeader, createFrame, fileHeaderBytes } from "./frame.ts";
import { writeFailed } from "./writeFailed.ts";

/** Pieces that are smaller are written together. */
const largePieceBytes = 2 ** 18;
/** Bytes of parts after which the disk is asked to take them, so that the sync of their change finds little to do. */
const bytesPerSync = 2 ** 24;
/** Pieces that are larger are not copied byte by byte. */
const alignedPieceBytes = 2 ** 13;
const wordBytes = 8;
const stagingBytes = 2 ** 20;
/** Where small pieces are put together, by the logs in turn: buffers that come and go are garbage that V8 collects. */
const stagingBuffers = new BufferPool();

/** The append-only file of one generation of a table. */
export class TableLog {
  readonly path: string;
  readonly #files: Files;
  #file: LogFile;
  #goodBytes: number;
  /** Byte offset at which the parts of an uncommitted change end; undefined when there is none. */
  #openBytes: number | undefined;
  /** Bytes of the file up to the end of the last part whose sync has begun. */
  #syncedBytes = 0;
  /** The sync that runs while more parts are written; resolves to its failure, if any. */
  #syncing: Promise<{ readonly failure?: unknown }> | undefined;
  #broken: string | undefined;

  private constructor(files: Files, path: string, file: LogFile, goodBytes: number) {
    this.#files = files;
    this.path = path;
    this.#file = file;
    this.#goodBytes = goodBytes;
  }

  /** Bytes of the frames that are written and synced, and the header. */
  get sizeBytes(): number {
    return this.#goodBytes;
  }

  /** Makes a new file with its header and first frames, synced; on failure the file is removed. */
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

  /** Opens a file for appending after `goodBytes`; a torn tail is cut off. */
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
   * Writes frames, whose payloads come in pieces, and syncs them once. A payload is asked for when the one before it is
   * written. After a failure the file is cut back to the last
   * good frame; when even that fails, the log takes no more writes until it is opened anew.
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
   * Writes a part of a change, which counts when the last frame of the change is appended. After a failure the parts
   * are cut off, as `cancel` does.
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
   * As `appendPart`, of a part that is a frame already.
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

  /** Cuts off the parts of a change that comes to nothing. */
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

  /** Writes frames from a position on and returns where they end. */
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

  /** Begins a sync of the parts that are written, when they are many. Nobody waits for it but the next one. */
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
   * After a failed sync the kernel may have dropped the pages and forgotten the error, so the handle is not used again.
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
      this.#broken = `the table is read-only until the store is opened anew, because a failed write could not be undone: ${messageOf(error)}`;
    }
  }
}

/** The pieces of all frames; a payload is asked for when the one before it is written or copied. */
function* framesOf(payloads: Iterable<readonly Uint8Array[]>): Generator<Uint8Array, void> {
  for (const payload of payloads) yield* createFrame(payload);
}

/**
 * Joins consecutive small pieces in `staging`, which is used again for the next ones; large ones stay as they are and
 * are not copied. V8 copies shared bytes one by one unless both places lie alike within a word, so a piece that would
 * not begins anew.
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
