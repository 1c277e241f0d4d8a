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
 * Opens the store of a folder, made when missing: takes its lock, reads its tables, and removes the remains of writes
 * that were never acknowledged. A table with a damaged file is set aside and refused with TABLE_DAMAGED when it is
 * used; the others serve. Threads start with the first query or ingest, or with `warm`. Cost: one read of every log and
 * of the footer of every segment file. Rows of segment files are read when a query names their column.
 * @throws {EngineError} STORE_LOCKED, FILE_CORRUPT, FILE_VERSION, STORE_WRITE_FAILED
 */
export function openStore(options: StoreOptions): Promise<Store> {
  return openStoreWith(options, nodeFiles);
}

/** Bytes of a log that may grow before its table is compacted. */
const compactedLogBytes = 2 ** 26;

/** Reads of columns that are under way at a time: one of libuv's four threads is left to syncs. */
const readsAtOnce = 3;

/** How arenas are filled, and how often they are swept; one that is empty from a sweep to the next is given up. */
interface ArenaOptions extends Pick<MemoryOptions, "arenaBytes" | "leastReleasedBytes"> {
  readonly sweptEveryMs: number;
}

/** `openStore` over given file operations. */
export async function openStoreWith(
  options: StoreOptions,
  fileSystem: Files,
  logBytes = compactedLogBytes,
  { sweptEveryMs, ...arenas }: ArenaOptions = { sweptEveryMs: 15_000 },
): Promise<Store> {
  if (!Number.isSafeInteger(options.workers) || options.workers < 1)
    throw new TypeError("workers must be a whole number from 1");
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
