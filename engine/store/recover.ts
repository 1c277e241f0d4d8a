import { join } from "node:path";
import { decodeChange } from "../files/changeFrame.ts";
import type { Files } from "../files/files.ts";
import { readFrames } from "../files/frame.ts";
import { manifestName, readManifest, type Manifest } from "../files/manifest.ts";
import { TableLog } from "../files/tableLog.ts";
import { Table } from "../table/table.ts";

/** A table's file that cannot be read. */
export interface Damage {
  readonly file: string;
  readonly reason: string;
}

/** What a folder held. `damaged` is by the table's name. */
export interface Recovery {
  readonly manifest: Manifest;
  readonly tables: readonly { readonly table: Table; readonly log: TableLog }[];
  readonly damaged: ReadonlyMap<string, Damage>;
}

/** Reads a folder's tables, cuts off torn tails and removes files that no manifest names. Damaged files are left as they are. */
export async function recover(files: Files, dir: string): Promise<Recovery> {
  const manifest = await readManifest(files, dir);
  const named = new Set(manifest.tables.map(({ file }) => file));
  const tables: { table: Table; log: TableLog }[] = [];
  const damaged = new Map<string, Damage>();
  for (const { name, file, version } of manifest.tables) {
    const path = join(dir, file);
    const table = new Table(name, [], false, version);
    const damage = await replay(files, path, table);
    if (typeof damage === "string") damaged.set(name, { file, reason: `${file}: ${damage}` });
    else tables.push({ table, log: damage });
  }
  for (const name of await files.list(dir)) {
    const isOrphan =
      name === `${manifestName}.new` || (/^\d{8}\.log$/.test(name) && !named.has(name));
    if (isOrphan) await files.remove(join(dir, name));
  }
  return { manifest, tables, damaged };
}

async function replay(files: Files, path: string, table: Table): Promise<TableLog | string> {
  let bytes: Uint8Array;
  try {
    bytes = await files.read(path);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const { frames, goodBytes, damage } = readFrames(bytes);
  if (damage) return damage;
  if (frames.length === 0) return "its first frame is missing";
  for (const frame of frames) table.apply(decodeChange(frame));
  return TableLog.open(files, path, goodBytes, bytes.length);
}
