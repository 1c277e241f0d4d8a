import { basename, join } from "node:path";
import { EngineError } from "../../errors.ts";
import type { Files } from "../../files/files.ts";
import { writeManifest, manifestName, type Manifest } from "../../files/manifest.ts";
import type { TableLog } from "../../files/tableLog.ts";
import { writeFailed } from "../../files/writeFailed.ts";
import type { StoreSnapshot } from "../../types.ts";
import type { Generations } from "./generations.ts";
import { snapshotFolder } from "./snapshotFolder.ts";

interface SnapshotParts {
  readonly files: Files;
  readonly dir: string;
  readonly generations: Generations;
  /** The tables in use, and the tables whose files cannot be read. */
  readonly tables: {
    get(
      name: string,
    ): { readonly log: Pick<TableLog, "path" | "sizeBytes"> | undefined } | undefined;
    isDamaged(name: string): boolean;
  };
}

/** A file of the store. `acknowledgedBytes` is undefined if all bytes of the file are acknowledged. */
interface NamedFile {
  readonly name: string;
  readonly acknowledgedBytes: number | undefined;
  readonly isDamaged: boolean;
}

/**
 * Creates second names for the files of a store in a folder within it, with a separate manifest. Changes that start
 * before the promise resolves may or may not be included. If a compaction removes one of the files meanwhile, the
 * function starts again.
 * @throws {EngineError} STORE_WRITE_FAILED
 */
export async function snapshotFiles(parts: SnapshotParts): Promise<StoreSnapshot> {
  const { files, dir } = parts;
  const folder = join(dir, snapshotFolder);
  const end = () => files.removeFolder(folder);
  try {
    for (;;) {
      await end();
      await files.makeFolder(folder);
      const { manifest } = parts.generations;
      const linked = await linkAll(manifest, folder, parts);
      if (!linked) continue;
      await writeManifest(files, folder, manifest);
      const sizeBytes = await files.sizeOf(join(folder, manifestName));
      return { folder, files: [{ name: manifestName, sizeBytes }, ...linked], end };
    }
  } catch (cause) {
    await end();
    throw cause instanceof EngineError ? cause : writeFailed(cause);
  }
}

/**
 * Links the files that a manifest names. Returns undefined if a file is missing because the store has switched to other
 * files.
 */
async function linkAll(
  manifest: Manifest,
  folder: string,
  { files, dir, generations, tables }: SnapshotParts,
): Promise<StoreSnapshot["files"] | undefined> {
  const linked: { readonly name: string; readonly sizeBytes: number }[] = [];
  for (const { name, acknowledgedBytes, isDamaged } of namedFiles(manifest, tables)) {
    const to = join(folder, name);
    try {
      await files.link(join(dir, name), to);
    } catch (failure) {
      if (!isMissing(failure)) throw failure;
      if (isDamaged) continue;
      if (JSON.stringify(generations.manifest) === JSON.stringify(manifest)) throw failure;
      return undefined;
    }
    linked.push({ name, sizeBytes: acknowledgedBytes ?? (await files.sizeOf(to)) });
  }
  return linked;
}

function namedFiles(manifest: Manifest, tables: SnapshotParts["tables"]): readonly NamedFile[] {
  return manifest.tables.flatMap(({ name, file, segments }) => {
    const isDamaged = tables.isDamaged(name);
    const log = tables.get(name)?.log;
    const isLogOpen = log !== undefined && basename(log.path) === file;
    const acknowledgedBytes = isLogOpen ? log.sizeBytes : undefined;
    return [
      { name: file, acknowledgedBytes, isDamaged },
      ...(segments === undefined
        ? []
        : [{ name: segments, acknowledgedBytes: undefined, isDamaged }]),
    ];
  });
}

const isMissing = (failure: unknown) =>
  failure instanceof Error && "code" in failure && failure.code === "ENOENT";
