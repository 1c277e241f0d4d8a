import { randomBytes } from "node:crypto";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { BackupDestination } from "./backupDestination.ts";

const isMissing = (failure: unknown) =>
  failure instanceof Error && "code" in failure && failure.code === "ENOENT";

/** Extension of files that are not complete yet. */
const partExtension = ".part";

/**
 * Maximum number of staged files, and of their bytes, before they are synced. Syncing many files together is cheaper
 * than syncing each by itself.
 */
const mostStaged = 64;
const mostStagedBytes = 2 ** 26;
/** Number of concurrent syncs while nothing else runs, so that the disk can order them. */
const syncsAtOnce = 4;
const dayMs = 86_400_000;

interface Part {
  readonly handle: FileHandle;
  readonly path: string;
  readonly file: string;
}

/** Creates a destination in a folder. A missing folder is created. Only the owner can read its folders and files. */
export function folderDestination(path: string): BackupDestination {
  const root = resolve(path);
  const made = new Set<string>();
  const makeFolder = async (folder: string) => {
    if (made.has(folder)) return;
    await makeFolders(folder);
    made.add(folder);
  };
  const filesBelow = async (folder: string): Promise<string[]> => {
    const names: string[] = [];
    const walk = async (below: string) => {
      for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
        const name = `${below}/${entry.name}`;
        if (entry.isDirectory()) await walk(name);
        else names.push(name);
      }
    };
    await walk(folder).catch((failure: unknown) => {
      if (!isMissing(failure)) throw failure;
    });
    return names;
  };
  const begin = async (name: string, parts: readonly Uint8Array[]): Promise<Part> => {
    const file = join(root, name);
    await makeFolder(dirname(file));
    const path = `${file}.${randomBytes(4).toString("hex")}${partExtension}`;
    const handle = await open(path, "wx", 0o600);
    try {
      for (const part of parts) await writeWhole(handle, part);
    } catch (failure) {
      await handle.close();
      throw failure;
    }
    return { handle, path, file };
  };
  const sync = async ({ handle, path, file }: Part) => {
    try {
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(path, file);
  };
  /**
   * Completes files. A file gets its final name after its bytes are on the disk, so that a crash leaves no incomplete
   * file under that name.
   */
  const finish = async (parts: readonly Part[], atOnce: number) => {
    const left = parts.values();
    const lane = async () => {
      for (const part of left) await sync(part);
    };
    const ended = await Promise.allSettled(Array.from({ length: atOnce }, lane));
    const failed = ended.find((each) => each.status === "rejected");
    if (failed) {
      await Promise.allSettled([...left].map(({ handle }) => handle.close()));
      throw failed.reason;
    }
    await Promise.all([...new Set(parts.map(({ file }) => dirname(file)))].map(syncFolder));
  };
  let staged: Part[] = [];
  let stagedBytes = 0;
  let finishing: Promise<void> = Promise.resolve();
  /** Starts to sync the staged files once the previously staged files are synced. */
  const finishStaged = async (atOnce: number) => {
    const parts = staged;
    staged = [];
    stagedBytes = 0;
    const before = finishing;
    finishing = (async () => {
      try {
        await before;
      } catch (failure) {
        await Promise.allSettled(parts.map(({ handle }) => handle.close()));
        throw failure;
      }
      await finish(parts, atOnce);
    })();
    // The next call of `stage` or `settle` reports the failure.
    finishing.catch(() => undefined);
    await before;
  };
  return {
    title: root,
    async read(name) {
      try {
        return await readFile(join(root, name));
      } catch (failure) {
        if (isMissing(failure)) return undefined;
        throw failure;
      }
    },
    async write(name, bytes) {
      await finish([await begin(name, [bytes])], 1);
    },
    async stage(name, parts) {
      staged.push(await begin(name, parts));
      for (const part of parts) stagedBytes += part.length;
      // Sync one file at a time, so that other work of the process can continue to read and write.
      if (staged.length >= mostStaged || stagedBytes >= mostStagedBytes) await finishStaged(1);
    },
    async settle() {
      await finishStaged(syncsAtOnce);
      await finishing;
    },
    async clean() {
      for (const name of await filesBelow(".")) {
        if (!name.endsWith(partExtension)) continue;
        const path = join(root, name);
        const { mtimeMs } = await stat(path);
        if (mtimeMs < Date.now() - dayMs) await rm(path, { force: true });
      }
    },
    list: async (folder) =>
      (await filesBelow(folder)).filter((name) => !name.endsWith(partExtension)),
    remove: (name) => rm(join(root, name), { force: true }),
  };
}

/**
 * Creates a folder and its missing ancestors one by one. With the `recursive` option, Node.js never returns if an
 * existing folder accepts no new folders (`/proc`, or an automounter that does not know the name).
 */
async function makeFolders(path: string): Promise<void> {
  const make = () =>
    mkdir(path, { mode: 0o700 }).catch((failure: NodeJS.ErrnoException) => {
      if (failure.code !== "EEXIST") throw failure;
    });
  await make().catch(async (failure: NodeJS.ErrnoException) => {
    const above = dirname(path);
    if (failure.code !== "ENOENT" || above === path) throw failure;
    await makeFolders(above);
    await make();
  });
}

async function writeWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
