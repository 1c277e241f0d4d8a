import { link, mkdir, open, readdir, rename, rm, stat, statfs, truncate } from "node:fs/promises";

/** A file open for appending. */
export interface LogFile {
  /** Writes all bytes, starting at a byte offset of the file. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file open for reading in parts. */
export interface PartFile {
  readonly sizeBytes: number;
  /** Fills `into` with the bytes of the file that start at a byte offset. @throws {Error} if the file ends first */
  read(into: Uint8Array, position: number): Promise<void>;
  close(): Promise<void>;
}

/** The file operations that the store uses. Tests replace them to inject faults. */
export interface Files {
  makeFolder(path: string): Promise<void>;
  list(folder: string): Promise<string[]>;
  read(path: string): Promise<Uint8Array>;
  openParts(path: string): Promise<PartFile>;
  openLog(path: string, create: boolean): Promise<LogFile>;
  truncate(path: string, sizeBytes: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Creates a second name for a file. The content is deleted once both names are removed. */
  link(from: string, to: string): Promise<void>;
  sizeOf(path: string): Promise<number>;
  remove(path: string): Promise<void>;
  /** Removes a folder and everything in it, if it exists. */
  removeFolder(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
  /** Returns how many bytes this user can still write to the disk that contains a folder or file. */
  freeBytes(path: string): Promise<number>;
}

/** Bytes per read. Node's `readFile` and single reads of a handle fail above 2 GiB. */
const readBytes = 2 ** 30;

/** The operations of the system's file system. Only the owner can access the created folders and files. */
export const nodeFiles: Files = {
  makeFolder: async (path) => void (await mkdir(path, { recursive: true, mode: 0o700 })),
  list: (folder) => readdir(folder),
  async read(path) {
    const file = await openParts(path);
    try {
      const bytes = Buffer.allocUnsafeSlow(file.sizeBytes);
      await file.read(bytes, 0);
      return bytes;
    } finally {
      await file.close();
    }
  },
  openParts,
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
  link: (from, to) => link(from, to),
  sizeOf: async (path) => (await stat(path)).size,
  remove: (path) => rm(path, { force: true }),
  removeFolder: (path) => rm(path, { recursive: true, force: true }),
  async syncFolder(path) {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  async freeBytes(path) {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
};

async function openParts(path: string): Promise<PartFile> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    return {
      sizeBytes: size,
      async read(into, position) {
        for (let done = 0; done < into.length;) {
          const wanted = Math.min(readBytes, into.length - done);
          const { bytesRead } = await handle.read(into, done, wanted, position + done);
          if (bytesRead === 0) throw new Error(`the file ends at byte ${position + done}`);
          done += bytesRead;
        }
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
