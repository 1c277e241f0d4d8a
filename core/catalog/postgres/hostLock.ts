import { readFile, rm, writeFile } from "node:fs/promises";
import { pid } from "node:process";
import { DatabaseSync } from "node:sqlite";

/** Holds a data folder for this process. */
export interface HostLock {
  /** Releases the lock. Safe to call again. */
  release(): Promise<void>;
}

function isBusy(failure: unknown): boolean {
  return failure instanceof Error && "errcode" in failure && failure.errcode === 5;
}

/**
 * Takes the lock in `file`; `<file>.pid` names the process that holds it. The lock is one of the operating
 * system, which Node offers through SQLite only: it ends with the process, however that ends.
 * @throws {Error} that names the process which holds it
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
      `the data folder is in use by process ${holder} (${file}); stop it, or give this host a data folder of its own`,
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
