import { EngineError } from "../errors.ts";
import { nodeFiles, type Files } from "../files/files.ts";
import { FolderLock } from "../files/folderLock.ts";
import { limitReads } from "../files/limitReads.ts";
import { limitSyncs, syncsAtOnce } from "../files/limitSyncs.ts";
import { writeFailed } from "../files/writeFailed.ts";
import { Memory, type MemoryOptions } from "../memory/memory.ts";
import type { Store, StoreOptions } from "../types.ts";
import { recover } from "./generations/recover.ts";
import { StrataStore } from "./strataStore.ts";

/**
 * Opens the store in a folder, which is created if missing: locks it, reads its tables, and removes the remains of
 * unacknowledged writes. A table with a damaged file does not prevent opening, but using this table fails with
 * TABLE_DAMAGED. Threads start with the first query or push, or with `warm`. Opening reads every log, and the footer
 * of every segment file. A column of a segment file is read when a query first names it.
 * @throws {EngineError} STORE_LOCKED, FILE_CORRUPT, FILE_VERSION, STORE_WRITE_FAILED
 */
export function openStore(options: StoreOptions): Promise<Store> {
  return openStoreWith(options, nodeFiles);
}

/** Bytes of a log above which its table is compacted. */
const compactedLogBytes = 2 ** 26;

/** Maximum number of concurrent reads of columns. One of libuv's four threads therefore remains available for syncs. */
const readsAtOnce = 3;

/**
 * The size up to which arenas are filled, and the time between two sweeps. An arena that stays empty from one sweep to
 * the next is released.
 */
interface ArenaOptions extends Pick<MemoryOptions, "arenaBytes" | "leastReleasedBytes"> {
  readonly sweptEveryMs: number;
}

/** Like `openStore`, but uses the given file operations. */
export async function openStoreWith(
  options: StoreOptions,
  fileSystem: Files,
  logBytes = compactedLogBytes,
  { sweptEveryMs, ...arenas }: ArenaOptions = { sweptEveryMs: 15_000 },
): Promise<Store> {
  if (!Number.isSafeInteger(options.workers) || options.workers < 1)
    throw new TypeError("workers must be a whole number of at least 1");
  const { dir, workers, memoryBytes } = options;
  const files = limitSyncs(limitReads(fileSystem, readsAtOnce), syncsAtOnce());
  await files.makeFolder(dir);
  const lock = await FolderLock.take(dir);
  try {
    const memory = new Memory({ budgetBytes: memoryBytes, ...arenas });
    const recovery = await recover(files, dir, memory);
    const given = { dir, workers, logBytes, sweptEveryMs };
    return new StrataStore({ ...given, files, lock, memory, recovery });
  } catch (error) {
    await lock.release();
    throw error instanceof EngineError ? error : writeFailed(error);
  }
}
