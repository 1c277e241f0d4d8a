import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PluginError, type Credentials, type Reach } from "../protocol/index.ts";

/** A file or folder that an account may read, in the state in which it was found. */
export interface FoundFile {
  /** The absolute path, without symbolic links. */
  readonly path: string;
  readonly isFolder: boolean;
  /** A key that changes when another file takes the place of this file. */
  readonly identity: string;
  /** A key that changes when the file is replaced or written. */
  readonly version: string;
}

/**
 * Finds the file or folder that the setting `host` of an account names. The setting is an absolute path, a `file:` URL,
 * or a path relative to one of `folders`. Symbolic links are followed, and their targets must also be in `folders`.
 * @throws {PluginError} PLUGIN_INVALID, whose message names the setting but reveals nothing about the disk: it is the
 * same for a file outside `folders` and for a missing file
 */
export async function findFile(
  { host = "" }: Pick<Credentials, "host">,
  { folders }: Pick<Reach, "folders">,
): Promise<FoundFile> {
  if (host === "") throw invalid("host must name a file or folder");
  if (folders.length === 0)
    throw invalid(
      "host must not name a file, because the operator has not allowed any folder; ask the operator to list the folder in MANIFOLD_FILE_FOLDERS",
    );
  const nowhere = () =>
    invalid(
      "host must name a readable file or folder in one of the folders that the operator lists in " +
        "MANIFOLD_FILE_FOLDERS",
    );
  const path = pathOf(host);
  const candidates = isAbsolute(path) ? [path] : folders.map((folder) => join(folder, path));
  for (const candidate of candidates) {
    const found = await realpath(candidate).catch(() => undefined);
    if (found === undefined || !folders.some((folder) => isWithin(found, folder))) continue;
    const state = await stat(found, { bigint: true }).catch(() => undefined);
    if (!state) continue;
    if (!state.isFile() && !state.isDirectory())
      throw invalid("host must name a file or folder, not a device, pipe or socket");
    const identity = `${state.dev}:${state.ino}`;
    return {
      path: found,
      isFolder: state.isDirectory(),
      identity,
      version: `${identity}:${state.size}:${state.mtimeNs}`,
    };
  }
  throw nowhere();
}

/** Returns whether a path without symbolic links is the folder itself, or a path inside the folder. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function pathOf(given: string): string {
  if (given.includes("\0")) throw invalid("host must not contain the character NUL");
  let path = given;
  if (given.startsWith("file:")) {
    try {
      path = fileURLToPath(given);
    } catch (cause) {
      throw invalid("host must be a file: URL with a path on this machine", { cause });
    }
  }
  if (path.split(/[/\\]/).includes(".."))
    throw invalid('host must not contain the part ".."; write the path without it');
  return path;
}

function invalid(detail: string, options?: ErrorOptions): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail], options);
}
