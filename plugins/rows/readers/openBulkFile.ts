import { randomUUID } from "node:crypto";
import { closeSync, openSync, read, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** The file through which a reader process sends large arrays. It has no name, so it ends with its last descriptor. */
export interface BulkFile {
  readonly fd: number;
  /**
   * Reads `sizeBytes` from the offset `at` to the start of `memory`.
   * @throws {Error} if the file is shorter, or closed
   */
  read(memory: SharedArrayBuffer, at: number, sizeBytes: number): Promise<void>;
  /** Closes the descriptor after the current reads. Later reads fail. */
  close(): Promise<void>;
}

const readFrom = promisify(read);

/** Opens the file. Returns undefined if the folder for temporary files cannot be written; messages are then larger. */
export function openBulkFile(): BulkFile | undefined {
  const path = join(tmpdir(), `manifold-reader-${randomUUID()}`);
  let fd: number;
  try {
    fd = openSync(path, "wx+", 0o600);
    unlinkSync(path);
  } catch {
    return undefined;
  }
  let reading: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  return {
    fd,
    read(memory, at, sizeBytes) {
      const bytes = new Uint8Array(memory, 0, sizeBytes);
      const readAll = async () => {
        // Another file may have the number of a closed descriptor.
        if (isClosed) throw new Error("the reader ended before its item was received");
        for (let done = 0; done < sizeBytes;) {
          const { bytesRead } = await readFrom(fd, bytes, done, sizeBytes - done, at + done);
          if (bytesRead === 0) throw new Error("the reader sent an item without its bytes");
          done += bytesRead;
        }
      };
      const result = readAll();
      reading = Promise.allSettled([reading, result]);
      return result;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await reading;
      closeSync(fd);
    },
  };
}
