import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { PluginError } from "../../protocol/index.ts";
import type { ByteSource } from "./byteSource.ts";

const partBytes = 256 * 1024;

/**
 * Opens a file on disk, given a path without symbolic links.
 * @throws {PluginError} PLUGIN_SOURCE_FAILED if the file has another version than the given one, or cannot be read
 */
export async function openLocalFile(path: string, version: string): Promise<ByteSource> {
  // Since the file was found, its path may have become a symbolic link, or a pipe that would block.
  const handle = await open(
    path,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch((cause: unknown) => {
    throw new PluginError("PLUGIN_SOURCE_FAILED", ["the file cannot be opened"], { cause });
  });
  try {
    const sizeBytes = await checkedSize(handle, version);
    return {
      sizeBytes,
      stream: (signal, from = 0, to = sizeBytes) =>
        partsOf(handle, from, Math.min(to, sizeBytes), signal),
      async read(from, to) {
        const bytes = new Uint8Array(Math.max(0, Math.min(to, sizeBytes) - from));
        return bytes.subarray(0, await readAt(handle, bytes, from));
      },
      check: async () => void (await checkedSize(handle, version)),
      close: () => handle.close(),
    };
  } catch (failure) {
    await handle.close();
    throw failure;
  }
}

async function checkedSize(handle: FileHandle, version: string): Promise<number> {
  const { dev, ino, size, mtimeNs } = await handle.stat({ bigint: true });
  if (`${dev}:${ino}:${size}:${mtimeNs}` === version) return Number(size);
  throw new PluginError("PLUGIN_SOURCE_FAILED", ["the file changed while it was read; try again"]);
}

/** Reads a file up to the size that it had when it was opened. `check` detects later growth. */
async function* partsOf(
  handle: FileHandle,
  from: number,
  to: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to;) {
    signal.throwIfAborted();
    const bytes = new Uint8Array(Math.min(partBytes, to - at));
    const count = await readAt(handle, bytes, at);
    if (count === 0) return;
    yield bytes.subarray(0, count);
    at += count;
  }
}

/** Fills a buffer from a file, up to the end of the file. */
async function readAt(handle: FileHandle, bytes: Uint8Array, from: number): Promise<number> {
  let count = 0;
  while (count < bytes.length) {
    const { bytesRead } = await handle.read(bytes, count, bytes.length - count, from + count);
    if (bytesRead === 0) break;
    count += bytesRead;
  }
  return count;
}
