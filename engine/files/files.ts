import { mkdir, open, readdir, rename, rm, truncate } from "node:fs/promises";

/** An open file that is appended to. */
export interface LogFile {
  /** Writes all bytes at a position. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The file operations that the store uses; tests exchange them to inject faults. */
export interface Files {
  makeFolder(path: string): Promise<void>;
  list(folder: string): Promise<string[]>;
  read(path: string): Promise<Uint8Array>;
  openLog(path: string, create: boolean): Promise<LogFile>;
  truncate(path: string, sizeBytes: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
}

/** Bytes of one read: Node's `readFile` refuses files above 2 GiB, and so does one read of a handle. */
const readBytes = 2 ** 30;

/** The operations of the machine's file system; folders and files are for their owner alone. */
export const nodeFiles: Files = {
  makeFolder: async (path) => void (await mkdir(path, { recursive: true, mode: 0o700 })),
  list: (folder) => readdir(folder),
  async read(path) {
    const handle = await open(path, "r");
    try {
      const { size } = await handle.stat();
      const bytes = Buffer.allocUnsafeSlow(size);
      let position = 0;
      while (position < size) {
        const wanted = Math.min(readBytes, size - position);
        const { bytesRead } = await handle.read(bytes, position, wanted, position);
        if (bytesRead === 0) break;
        position += bytesRead;
      }
      return bytes.subarray(0, position);
    } finally {
      await handle.close();
    }
  },
  async openLog(path, create) {
    const handle = await open(path, create ? "wx" : "r+", 0o600);
    return {
      async write(bytes, position) {
        let written = 0;
        while (written < bytes.length)
          written += (
            await handle.write(bytes, written, bytes.length - written, position + written)
          ).bytesWritten;
      },
      sync: () => handle.datasync(),
      close: () => handle.close(),
    };
  },
  truncate: (path, sizeBytes) => truncate(path, sizeBytes),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  async syncFolder(path) {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};
