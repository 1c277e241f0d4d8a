import { EngineError } from "../errors.ts";
import type { Files, LogFile } from "./files.ts";
import { createFileHeader, createFrame, fileHeaderBytes } from "./frame.ts";
import { writeFailed } from "./writeFailed.ts";

/** The append-only file of one generation of a table. */
export class TableLog {
  readonly path: string;
  readonly #files: Files;
  #file: LogFile;
  #goodBytes: number;
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
    payloads: readonly Uint8Array[],
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
   * Writes frames and syncs them once. After a failure the file is cut back to the last good frame;
   * when even that fails, the log takes no more writes until it is opened anew.
   * @throws {EngineError} STORE_WRITE_FAILED
   */
  async append(payloads: readonly Uint8Array[]): Promise<void> {
    if (this.#broken) throw new EngineError("STORE_WRITE_FAILED", [this.#broken]);
    const bytes = Buffer.concat(payloads.map(createFrame));
    try {
      await this.#file.write(bytes, this.#goodBytes);
      await this.#file.sync();
      this.#goodBytes += bytes.length;
    } catch (cause) {
      await this.#cutBack();
      throw writeFailed(cause);
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** After a failed sync the kernel may have dropped the pages and forgotten the error, so the handle is not used again. */
  async #cutBack(): Promise<void> {
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

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
