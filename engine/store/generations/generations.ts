import { basename, join } from "node:path";
import { encodeChange } from "../../files/changeFrame.ts";
import type { Files } from "../../files/files.ts";
import { writeManifest, type Manifest } from "../../files/manifest.ts";
import { TableLog } from "../../files/tableLog.ts";
import type { TableChange } from "../../table/table.ts";

/** Maps tables to their logs. Changes are made one at a time. */
export class Generations {
  readonly #files: Files;
  readonly #dir: string;
  #manifest: Manifest;
  /** Apart from the manifest, so that a name that is given while one is written is not given again. */
  #nextFile: number;
  #broken: string | undefined;

  constructor(files: Files, dir: string, manifest: Manifest) {
    this.#files = files;
    this.#dir = dir;
    this.#manifest = manifest;
    this.#nextFile = manifest.nextFile;
  }

  /** No table that is gone ever had a version above this. */
  get versionFloor(): number {
    return this.#manifest.versionFloor;
  }

  /** The manifest that is on disk, but for the moment of a switch. */
  get manifest(): Manifest {
    return { ...this.#manifest, nextFile: this.#nextFile };
  }

  /** Why no more writes are taken; undefined when they are. */
  get broken(): string | undefined {
    return this.#broken;
  }

  /** Names a new file; no file before it had the name. */
  nameFile(extension: "log" | "segments"): { readonly file: string; readonly path: string } {
    const file = `${String(this.#nextFile++).padStart(8, "0")}.${extension}`;
    return { file, path: join(this.#dir, file) };
  }

  /** Makes the log of a new generation, which begins with `changes`; the manifest does not name it yet. */
  createLog(changes: Iterable<TableChange>): Promise<TableLog> {
    const { path } = this.nameFile("log");
    return TableLog.create(this.#files, path, payloadsOf(changes));
  }

  /**
   * Makes a new generation of a table: its log first, which begins with `changes`, then the manifest that names it and
   * the segment file of the rows before it. `version` is the table's before the first change.
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

  /** Exchanges the manifest for one that names the log, and the segment file, of a table's new generation. */
  async take(name: string, log: TableLog, version: number, segments?: string): Promise<void> {
    const file = basename(log.path);
    const table = { name, file, version, ...(segments !== undefined && { segments }) };
    await this.#commit({ ...this.#manifest, tables: [...this.#without(name), table] });
  }

  /** Removes a log that is not wanted; it stays when it is not known whether the manifest names it. */
  async discard(log: TableLog): Promise<void> {
    await log.close().catch(() => undefined);
    if (!this.#broken) await this.remove(log.path);
  }

  /** Forgets a table, whose last version was `version`; its log stays until it is removed. */
  async forget(name: string, version: number): Promise<void> {
    const versionFloor = Math.max(this.versionFloor, version);
    await this.#commit({ ...this.#manifest, versionFloor, tables: this.#without(name) });
  }

  /** Keeps versions from repeating after a temporary table, which no file knows. */
  forgetTemporary(version: number): void {
    const versionFloor = Math.max(this.versionFloor, version);
    this.#manifest = { ...this.#manifest, versionFloor };
  }

  /** Removes a file that the manifest names no more; one that stays is removed at the next open. */
  async remove(path: string): Promise<void> {
    await this.#files.remove(path).catch(() => undefined);
  }

  /** Keeps a damaged file under another name. */
  async setAside(file: string): Promise<void> {
    const path = join(this.#dir, file);
    await this.#files.rename(path, `${path}.damaged`).catch(() => undefined);
  }

  #without(name: string): Manifest["tables"] {
    return this.#manifest.tables.filter((table) => table.name !== name);
  }

  /**
   * Switches to a manifest. When the switch fails the old one is written again, so that disk and memory agree; when
   * that fails too, no more writes are taken.
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
          "the store is read-only until it is opened anew, because its manifest could not be written";
      }
      throw error;
    }
  }
}

function* payloadsOf(changes: Iterable<TableChange>): Generator<readonly Uint8Array[], void> {
  for (const change of changes) yield encodeChange(change);
}
