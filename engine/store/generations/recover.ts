import { join } from "node:path";
import { decodeChange, isPartOfChange } from "../../files/changeFrame.ts";
import { DamagedFile } from "../../files/damagedFile.ts";
import type { Files } from "../../files/files.ts";
import { frameBytes, readFrames, type FrameReading } from "../../files/frame.ts";
import {
  manifestName,
  openManifest,
  type Manifest,
  type ManifestTable,
} from "../../files/manifest.ts";
import { SegmentFile } from "../../files/segmentFile.ts";
import { TableLog } from "../../files/tableLog.ts";
import type { Memory } from "../../memory/memory.ts";
import { Table, type SavedTable } from "../../table/table.ts";
import { snapshotFolder } from "./snapshotFolder.ts";

/** A table whose files cannot be read. */
export interface Damage {
  readonly files: readonly string[];
  readonly reason: string;
}

/** A table whose files were read. `changeCount` is the number of changes in its log. */
export interface RecoveredTable {
  readonly table: Table;
  readonly log: TableLog;
  readonly changeCount: number;
  readonly segments?: SegmentFile;
}

/** The contents of a folder. `damaged` is keyed by table name. */
export interface Recovery {
  readonly manifest: Manifest;
  readonly tables: readonly RecoveredTable[];
  readonly damaged: ReadonlyMap<string, Damage>;
}

/**
 * Reads the tables of a folder: their logs, and the footers of their segment files. Removes torn tails, and files that
 * the manifest does not name. Damaged files are left unchanged.
 */
export async function recover(files: Files, dir: string, memory: Memory): Promise<Recovery> {
  const manifest = await openManifest(files, dir);
  const named = new Set<string>();
  const tables: RecoveredTable[] = [];
  const damaged = new Map<string, Damage>();
  for (const entry of manifest.tables) {
    const own = filesOf(entry);
    for (const file of own) named.add(file);
    try {
      tables.push(await open(files, dir, memory, entry));
    } catch (error) {
      damaged.set(entry.name, { files: own, reason: reasonOf(error, entry.file) });
    }
  }
  try {
    await removeOrphans(files, dir, named);
    await files.removeFolder(join(dir, snapshotFolder));
  } catch (error) {
    for (const { log } of tables) await log.close().catch(() => undefined);
    throw error;
  }
  return { manifest, tables, damaged };
}

async function removeOrphans(files: Files, dir: string, named: ReadonlySet<string>): Promise<void> {
  for (const name of await files.list(dir)) {
    const isOwn = /^\d{8}\.(log|segments)$/.test(name);
    if (name === `${manifestName}.new` || (isOwn && !named.has(name)))
      await files.remove(join(dir, name));
  }
}

/** Returns the files of a table, starting with its log. */
const filesOf = ({ file, segments }: ManifestTable): readonly string[] =>
  segments === undefined ? [file] : [file, segments];

async function open(
  files: Files,
  dir: string,
  memory: Memory,
  { name, file, version, segments: segmentsName }: ManifestTable,
): Promise<RecoveredTable> {
  const segments =
    segmentsName === undefined ? undefined : await SegmentFile.open(files, join(dir, segmentsName));
  const table = new Table(name, memory, false, version, segments && savedTable(segments));
  try {
    const path = join(dir, file);
    const bytes = await files.read(path);
    const { frames, goodBytes, damage } = wholeChanges(readFrames(bytes));
    if (damage) throw new DamagedFile(`${file}: ${damage}`);
    if (frames.length === 0) throw new DamagedFile(`${file}: its first frame is missing`);
    let changeCount = 0;
    for (const frame of frames) {
      const isPart = isPartOfChange(frame);
      table.apply(decodeChange(frame), isPart);
      if (!isPart) changeCount++;
    }
    const log = await TableLog.open(files, path, goodBytes, bytes.length);
    return { table, log, changeCount, ...(segments && { segments }) };
  } catch (error) {
    table.close();
    throw error;
  }
}

/**
 * If the log ends with the parts of a change that was never completed, removes these parts. Such a change was never
 * acknowledged.
 */
function wholeChanges(reading: FrameReading): FrameReading {
  const frames = [...reading.frames];
  let { goodBytes } = reading;
  for (let last = frames.at(-1); last && isPartOfChange(last); last = frames.at(-1)) {
    goodBytes -= frameBytes(last);
    frames.pop();
  }
  return { ...reading, frames, goodBytes };
}

/** Returns the rows of a table that are in its segment file. */
function savedTable(segments: SegmentFile): SavedTable {
  const { rowGroupCount, columns } = segments.footer;
  return {
    rowGroupCount,
    columns: columns.map(({ name, type }) => ({
      definition: { name, type },
      column: segments.column(name)!,
    })),
  };
}

function reasonOf(error: unknown, file: string): string {
  if (error instanceof DamagedFile) return error.message;
  return `${file}: ${error instanceof Error ? error.message : String(error)}`;
}
