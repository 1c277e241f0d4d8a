import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { PluginError, type Credentials, type Reach } from "../../plugins/protocol/index.ts";
import {
  formatOf,
  requireFormat,
  type FoundData,
  type TableName,
} from "../../plugins/rows/formats/index.ts";
import { findFile, isWithin } from "../../plugins/sql/index.ts";

const mostFiles = 1000;
const mostDepth = 8;
const sampleBytes = 16 * 2 ** 20;

/**
 * Finds the file that an account's `host` names. For a folder, finds all files of rows in it and its subfolders, except
 * hidden files and links to places outside the allowed folders. With `wanted`, examines only the files that can contain
 * this table, and their folders.
 * @throws {PluginError} PLUGIN_INVALID, which names the member but reveals no path on the disk
 */
export async function findLocalFiles(
  credentials: Pick<Credentials, "host">,
  { folders }: Pick<Reach, "folders">,
  wanted?: TableName,
): Promise<readonly FoundData[]> {
  const found = await findFile(credentials, { folders });
  const name = basename(found.path);
  if (!found.isFolder) {
    const format = requireFormat(name);
    return [localFile(found.path, { schema: "main", name, format }, found.version)];
  }
  const files: FoundData[] = [];
  const visited = new Set<string>();
  const visit = async (folder: string, below: readonly string[]): Promise<void> => {
    if (visited.has(folder) || below.length > mostDepth) return;
    visited.add(folder);
    const schema = below.length === 0 ? "main" : below.join("/");
    /** Whether an entry may be, or contain, a file with the wanted table. */
    const isWanted = (entry: string): boolean => {
      if (!wanted) return true;
      const isFile =
        schema === wanted.schema && (entry === wanted.name || wanted.name.startsWith(`${entry}/`));
      return isFile || `${wanted.schema}/`.startsWith(`${[...below, entry].join("/")}/`);
    };
    const entries = (await readdir(folder)).toSorted();
    for (const entry of entries.filter((each) => !each.startsWith(".") && isWanted(each))) {
      const path = await realpath(join(folder, entry)).catch(() => undefined);
      if (path === undefined || !folders.some((each) => isWithin(path, each))) continue;
      const state = await stat(path, { bigint: true }).catch(() => undefined);
      if (state?.isDirectory()) await visit(path, [...below, entry]);
      const format = formatOf(entry);
      if (!state?.isFile() || !format) continue;
      if (files.length === mostFiles)
        throw new PluginError("PLUGIN_INVALID", [
          `host names a folder with more than ${mostFiles} data files; name one of its subfolders`,
        ]);
      const version = `${state.dev}:${state.ino}:${state.size}:${state.mtimeNs}`;
      files.push(localFile(path, { schema, name: entry, format }, version));
    }
  };
  await visit(found.path, []);
  return files;
}

function localFile(
  path: string,
  found: Pick<FoundData, "schema" | "name" | "format">,
  version: string,
): FoundData {
  return { ...found, sampleBytes, version, place: { kind: "local", path, version } };
}
