import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EngineError } from "../errors.ts";

/** SQLite's error code for a database that another connection has locked. */
const busy = 5;

/**
 * Locks a folder for one store with an operating system lock, which Node offers only through SQLite. The operating
 * system releases the lock when the process ends, even after a crash. The lock works between containers that share a
 * folder.
 */
export class FolderLock {
  readonly #database: DatabaseSync;
  /** Path of a file that tells people which process holds the lock. The lock does not depend on this file. */
  readonly #note: string;
  #isHeld = true;

  private constructor(database: DatabaseSync, note: string) {
    this.#database = database;
    this.#note = note;
  }

  /**
   * Locks a folder.
   * @throws {EngineError} STORE_LOCKED if another store holds the lock
   */
  static async take(dir: string): Promise<FolderLock> {
    const path = join(dir, "lock");
    const note = `${path}.pid`;
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec(
        "pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive",
      );
    } catch (cause) {
      database.close();
      if (!(cause instanceof Error && "errcode" in cause && cause.errcode === busy)) throw cause;
      const holder = await readFile(note, "utf8").catch(() => "unknown");
      throw new EngineError("STORE_LOCKED", [dir, `pid ${holder}`], { cause });
    }
    const lock = new FolderLock(database, note);
    try {
      await writeFile(note, String(process.pid), { mode: 0o600 });
    } catch (error) {
      await lock.release();
      throw error;
    }
    return lock;
  }

  /** Releases the lock. Further calls have no effect. */
  async release(): Promise<void> {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    await rm(this.#note, { force: true });
    this.#database.close();
  }
}
