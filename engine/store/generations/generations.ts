import { basename, join } from "node:path";
import { encodeChange } from "../../files/changeFrame.ts";
import type { Files } from "../../files/files.ts";
import { writeManifest, type Manifest } from "../../files/manifest.ts";
import { TableLog } from "../../files/tableLog.ts";
import type { TableChange } from "../../table/table.ts";

/** Assigns files to tables through the manifest. Changes are made one at a time. */
export class Generations {
  readonly #files: Files;
  readonly #dir: string;
  #manifest: Manifest;
  /**
   * The next file number. It is counted separately from the manifest, so that no number is assigned twice while a
   * manifest is being written.
   */
  #nextFile: number;
  #broken: string | undefined;

  constructor(files: Files, dir: string, manifest: Manifest) {
    this.#files = files;
    this.#dir = dir;
    this.#manifest = manifest;
    this.#nextFile = manifest.nextFile;
  }

  /** A version that is at least the highest version of all removed tables. */
  get versionFloor(): number {
    return this.#manifest.versionFloor;
  }

  /** The current manifest. It matches the file on disk, except while that file is being replaced. */
  get manifest(): Manifest {
    return { ...this.#manifest, nextFile: this.#nextFile };
  }

  /** The reason why writes are no longer accepted; undefined while they are accepted. */
  get broken(): string | undefined {
    return this.#broken;
  }

  /** Returns a file name that was never used before. */
  nameFile(extension: "log" | "segments"): { readonly file: string; readonly path: string } {
    const file = `${String(this.#nextFile++).padStart(8, "0")}.${extension}`;
    return { file, path: join(this.#dir, file) };
  }

  /** Creates the log of a new generation, starting with `changes`. The manifest does not name it yet. */
  createLog(changes: Iterable<TableChange>): Promise<TableLog> {
    const { path } = this.nameFile("log");
    return TableLog.create(this.#files, path, payloadsOf(changes));
  }

  /**
   * Creates a new generation of a table. First writes the log, which starts with `changes`, and then the manifest. The
   * manifest names the log, and the segment file with the rows before the log. `version` is the table's version before
   * the first change.
   */
  async start(
    name: string,
    changes: Iterable<TableChange>,
    version: number,
    segments?: string,
  ): Promise<TableLog> {
    const log = await this.createLog(changes);
    try {
      await this.take(name, log, version, segments);
    } catch (error) {
      await this.discard(log);
      throw error;
    }
    return log;
  }

  /** Replaces the manifest. The new manifest names the log and the segment file of a table's new generation. */
  async take(name: string, log: TableLog, version: number, segments?: string): Promise<void> {
    const file = basename(log.path);
    const table = { name, file, version, ...(segments !== undefined && { segments }) };
    await this.#commit({ ...this.#manifest, tables: [...this.#without(name), table] });
  }

  /** Removes a log that is not needed. The file stays if the manifest may name it. */
  async discard(log: TableLog): Promise<void> {
    await log.close().catch(() => undefined);
    if (!this.#broken) await this.remove(log.path);
  }

  /** Removes a table from the manifest. `version` is its last version. Its log stays until `remove` is called. */
  async forget(name: string, version: number): Promise<void> {
    const versionFloor = Math.max(this.versionFloor, version);
    await this.#commit({ ...this.#manifest, versionFloor, tables: this.#without(name) });
  }

  /** Prevents later tables from reusing the versions of a temporary table, which is not in any file. */
  forgetTemporary(version: number): void {
    const versionFloor = Math.max(this.versionFloor, version);
    this.#manifest = { ...this.#manifest, versionFloor };
  }

  /**
   * Removes a file that the manifest no longer names. If removing it fails, the file is removed the next time the store
   * is opened.
   */
  async remove(path: string): Promise<void> {
    await this.#files.remove(path).catch(() => undefined);
  }

  /** Renames a damaged file, so that it is kept. */
  async setAside(file: string): Promise<void> {
    const path = join(this.#dir, file);
    await this.#files.rename(path, `${path}.damaged`).catch(() => undefined);
  }

  #without(name: string): Manifest["tables"] {
    return this.#manifest.tables.filter((table) => table.name !== name);
  }

  /**
   * Replaces the manifest. If this fails, writes the old manifest again, so that disk and memory agree. If that also
   * fails, the store accepts no more writes.
   */
  async #commit(next: Manifest): Promise<void> {
    const manifest = { ...next, nextFile: this.#nextFile };
    try {
      await writeManifest(this.#files, this.#dir, manifest);
      this.#manifest = manifest;
    } catch (error) {
      try {
        await writeManifest(this.#files, this.#dir, this.#manifest);
      } catch {
        this.#broken =
          "the store is read-only until it is reopened, because its manifest could not be written";
      }
      throw error;
    }
  }
}

function* payloadsOf(changes: Iterable<TableChange>): Generator<readonly Uint8Array[], void> {
  for (const change of changes) yield encodeChange(change);
}
