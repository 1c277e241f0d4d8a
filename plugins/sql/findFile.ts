import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PluginError, type Credentials, type Reach } from "../protocol/index.ts";

/** A file or folder that an account may read, as it was when it was found. */
export interface FoundFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Differs when another file took its place. */
  readonly identity: string;
  /** Differs when the file was replaced or written. */
  readonly version: string;
}

/**
 * Finds the file or folder that `host` of an account names: an absolute path, a `file:` address, or a path relative to
 * one of `folders`. Symbolic links are followed, and what they name must be in `folders` too.
 * @throws {PluginError} PLUGIN_INVALID that names the member, and nothing of the disk: a file outside `folders` and one
 * that does not exist get the same message
 */
export async function findFile(
  { host = "" }: Pick<Credentials, "host">,
  { folders }: Pick<Reach, "folders">,
): Promise<FoundFile> {
  if (host === "") throw invalid("host must name a file or folder");
  if (folders.length === 0)
    throw invalid(
      "host names a file, but no folder may be read; the operator lists folders in MANIFOLD_FILE_FOLDERS",
    );
  const nowhere = () =>
    invalid(
      "host names nothing that may be read; it must be in one of the folders that the operator lists in " +
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
      throw invalid("host names a device, a pipe or a socket, not a file or folder");
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

/** Whether a path without symbolic links is a folder, or in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function pathOf(given: string): string {
  if (given.includes("\0")) throw invalid("host has the character NUL, which no path has");
  let path = given;
  if (given.startsWith("file:")) {
    try {
      path = fileURLToPath(given);
    } catch (cause) {
      throw invalid("host is no file: address with a path on this machine", { cause });
    }
  }
  if (path.split(/[/\\]/).includes(".."))
    throw invalid('host has the part "..", which is not allowed; write the path without it');
  return path;
}

function invalid(detail: string, options?: ErrorOptions): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail], options);
}
