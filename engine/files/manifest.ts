import { join } from "node:path";
import { EngineError } from "../errors.ts";
import type { Files } from "./files.ts";
import { createFileHeader, createFrame, formatVersion, readFrames } from "./frame.ts";
import { writeFailed } from "./writeFailed.ts";

/**
 * The tables of the store. Columns and rows are in a table's log and segment file; the manifest only names these files.
 */
export interface Manifest {
  /** The number in the name of the next file. */
  readonly nextFile: number;
  /** A version that is at least the highest version of all dropped tables. */
  readonly versionFloor: number;
  readonly tables: readonly ManifestTable[];
}

export interface ManifestTable {
  readonly name: string;
  /** The name of the table's log. */
  readonly file: string;
  /** The name of the segment file with the rows before the log; absent if all rows are in the log. */
  readonly segments?: string;
  /** The table's version before the first frame of its log. */
  readonly version: number;
}

export const manifestName = "manifest";
const emptyManifest: Manifest = { nextFile: 1, versionFloor: 0, tables: [] };

/**
 * Reads the manifest of a folder. A folder without a manifest becomes a new store, and its manifest is written before
 * any other file. If a folder contains logs but no manifest, it is therefore a damaged store, not a new store whose
 * process crashed.
 * @throws {EngineError} FILE_CORRUPT, FILE_VERSION, STORE_WRITE_FAILED
 */
export async function openManifest(files: Files, dir: string): Promise<Manifest> {
  const names = await files.list(dir);
  if (!names.includes(manifestName)) {
    if (names.some((name) => /\.(log|segments)$/.test(name)))
      throw new EngineError("FILE_CORRUPT", [manifestName, "it is missing, but there are tables"]);
    await writeManifest(files, dir, emptyManifest);
    return emptyManifest;
  }
  const bytes = await files.read(join(dir, manifestName));
  const { frames, goodBytes, damage, version } = readFrames(bytes);
  if (version !== undefined)
    throw new EngineError("FILE_VERSION", [manifestName, version, formatVersion]);
  if (damage || frames.length !== 1 || goodBytes !== bytes.length)
    throw new EngineError("FILE_CORRUPT", [manifestName, damage ?? "it is cut off"]);
  return JSON.parse(Buffer.from(frames[0]).toString("utf8")) as Manifest;
}

/**
 * Replaces the manifest atomically: writes a temporary file, syncs it, renames it over the old manifest and syncs the
 * folder.
 * @throws {EngineError} STORE_WRITE_FAILED
 */
export async function writeManifest(files: Files, dir: string, manifest: Manifest): Promise<void> {
  const beside = join(dir, `${manifestName}.new`);
  try {
    await files.remove(beside);
    const file = await files.openLog(beside, true);
    try {
      const header = createFileHeader();
      await file.write(
        Buffer.concat([header, ...createFrame([Buffer.from(JSON.stringify(manifest))])]),
        0,
      );
      await file.sync();
    } finally {
      await file.close();
    }
    await files.rename(beside, join(dir, manifestName));
    await files.syncFolder(dir);
  } catch (cause) {
    throw writeFailed(cause);
  }
}
