import { join } from "node:path";
import { encodeChange } from "../files/changeFrame.ts";
import type { Files } from "../files/files.ts";
import { writeManifest, type Manifest } from "../files/manifest.ts";
import { TableLog } from "../files/tableLog.ts";
import type { TableChange } from "../table/table.ts";

/** Which log belongs to which table. Changes come one at a time. */
export class Generations {
  readonly #files: Files;
  readonly #dir: string;
  #manifest: Manifest;
  #broken: string | undefined;

  constructor(files: Files, dir: string, manifest: Manifest) {
    this.#files = files;
    this.#dir = dir;
    this.#manifest = manifest;
  }

  /** No table that is gone ever had a version above this. */
  get versionFloor(): number {
    return this.#manifest.versionFloor;
  }

  /** Why no more writes are taken; undefined when they are. */
  get broken(): string | undefined {
    return this.#broken;
  }

  /** Makes a new generation of a table, whose first frame is `change`: its log first, then the manifest that names it. */
  async start(name: string, change: TableChange, version: number): Promise<TableLog> {
    const file = `${String(this.#manifest.nextFile).padStart(8, "0")}.log`;
    this.#manifest = { ...this.#manifest, nextFile: this.#manifest.nextFile + 1 };
    const path = join(this.#dir, file);
    const log = await TableLog.create(this.#files, path, [encodeChange(change)]);
    try {
      const tables = [...this.#without(name), { name, file, version }];
      await this.#commit({ ...this.#manifest, tables });
    } catch (error) {
      await log.close();
      if (!this.#broken) await this.#files.remove(path).catch(() => undefined);
      throw error;
    }
    return log;
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

  /** Removes a log that the manifest names no more; one that stays is removed at the next open. */
  async remove(log: TableLog): Promise<void> {
    await this.#files.remove(log.path).catch(() => undefined);
  }

  /** Keeps a damaged file under another name. */
  async setAside(file: string): Promise<void> {
    const path = join(this.#dir, file);
    await this.#files.rename(path, `${path}.damaged`).catch(() => undefined);
  }

  #without(name: string): Manifest["tables"] {
    return this.#manifest.tables.filter((table) => table.name !== name);
  }

  /** Switches to a manifest. When the switch fails the old one is written again, so that disk and memory agree; when that fails too, no more writes are taken. */
  async #commit(manifest: Manifest): Promise<void> {
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
