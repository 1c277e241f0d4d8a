import { createHash } from "node:crypto";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { PluginError, type Reach } from "../../plugins/protocol/index.ts";
import { isWithin, type FoundFile } from "../../plugins/sql/index.ts";

/** How DuckDB reads a file of rows. */
export type Format = "parquet" | "csv" | "json";

/** A file of rows. The engine has one view per file. */
export interface DataFile {
  /** Absolute path without symbolic links. */
  readonly path: string;
  readonly format: Format;
  /**
   * The schema is the subfolder of the account's folder that contains the file (`main` for the folder itself). The name
   * is the file's name.
   */
  readonly schema: string;
  readonly name: string;
  readonly version: string;
}

/** The source of an account: a database, or files of rows. */
export type Source =
  | { readonly kind: "database"; readonly path: string; readonly version: string }
  | { readonly kind: "files"; readonly files: readonly DataFile[]; readonly version: string };

const mostFiles = 1000;
const mostDepth = 8;

const formats: readonly (readonly [name: RegExp, format: Format])[] = [
  [/\.parquet$/i, "parquet"],
  [/\.(csv|tsv)(\.gz)?$/i, "csv"],
  [/\.(json|ndjson|jsonl)(\.gz)?$/i, "json"],
];

/** Returns the format that the extension of a file's name indicates; undefined for other extensions. */
function formatOf(name: string): Format | undefined {
  return formats.find(([pattern]) => pattern.test(name))?.[1];
}

/**
 * Finds the source of an account. The source of a folder consists of all files of rows in the folder and its
 * subfolders, except hidden files and links to places outside `folders`.
 * @throws {PluginError} PLUGIN_INVALID for more than 1,000 files
 */
export async function findSource(
  found: FoundFile,
  { folders }: Pick<Reach, "folders">,
): Promise<Source> {
  if (found.isFolder) {
    const files = await filesIn(found.path, folders);
    const versions = files.map(({ version }) => version).join("\n");
    return { kind: "files", files, version: createHash("sha256").update(versions).digest("hex") };
  }
  const { path, version } = found;
  const name = basename(path);
  const format = formatOf(name);
  if (format)
    return { kind: "files", files: [{ path, format, schema: "main", name, version }], version };
  // Only DuckDB opens the file. Opening and closing the file here would release the lock of an engine in this process.
  return { kind: "database", path, version };
}

async function filesIn(root: string, folders: readonly string[]): Promise<readonly DataFile[]> {
  const files: DataFile[] = [];
  const visited = new Set<string>();
  const visit = async (folder: string, depth: number): Promise<void> => {
    const own = await realpath(folder);
    if (visited.has(own) || depth > mostDepth) return;
    visited.add(own);
    const entries = (await readdir(own)).toSorted();
    for (const entry of entries.filter((each) => !each.startsWith("."))) {
      const path = await reached(join(own, entry), folders);
      if (path === undefined) continue;
      const state = await stat(path, { bigint: true });
      if (state.isDirectory()) {
        await visit(join(folder, entry), depth + 1);
        continue;
      }
      const format = formatOf(entry);
      if (!format || !state.isFile()) continue;
      if (files.length === mostFiles)
        throw new PluginError("PLUGIN_INVALID", [
          `host names a folder with more than ${mostFiles} data files; name one of its subfolders`,
        ]);
      const below = relative(root, folder).split(sep).join("/");
      files.push({
        path,
        format,
        schema: below === "" ? "main" : below,
        name: entry,
        version: [path, state.dev, state.ino, state.size, state.mtimeNs].join(":"),
      });
    }
  };
  await visit(root, 0);
  return files;
}

/** Returns the real path of a file in a folder; undefined if the file no longer exists or is outside `folders`. */
async function reached(path: string, folders: readonly string[]): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && folders.some((folder) => isWithin(real, folder)) ? real : undefined;
}
