import { readFile, rm, writeFile } from "node:fs/promises";
import { pid } from "node:process";
import { DatabaseSync } from "node:sqlite";

/** A lock on a data folder, which this process holds. */
export interface HostLock {
  /** Releases the lock. Further calls have no effect. */
  release(): Promise<void>;
}

function isBusy(failure: unknown): boolean {
  return failure instanceof Error && "errcode" in failure && failure.errcode === 5;
}

/**
 * Locks `file`, and writes this process's id into `<file>.pid`. This is a lock of the operating system, which Node only
 * offers through SQLite. The lock is released when the process ends, for whatever reason.
 * @throws {Error} naming the process that holds the lock
 */
export async function takeHostLock(file: string): Promise<HostLock> {
  const note = `${file}.pid`;
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive");
  } catch (cause) {
    database.close();
    if (!isBusy(cause)) throw cause;
    const holder = await readFile(note, "utf8").catch(() => "unknown");
    throw new Error(
      `the data folder is in use by process ${holder} (${file}); stop that process, or choose another data folder`,
      { cause },
    );
  }
  await writeFile(note, String(pid), { mode: 0o600 });
  let isHeld = true;
  return {
    async release() {
      if (!isHeld) return;
      isHeld = false;
      await rm(note, { force: true });
      database.close();
    },
  };
}
