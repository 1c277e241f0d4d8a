import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { ApiError, codeOf } from "../../../base/index.ts";

/** The limits of uploads on one host. Each error names the setting with which the operator can raise the limit. */
export interface SpoolLimits {
  /** Maximum size of a file, in MiB. */
  readonly fileMb: number;
  /** Disk space for the files of one organization, in MiB. */
  readonly organizationMb: number;
  /** Disk space for the files of all organizations, in MiB. */
  readonly totalMb: number;
  /** Maximum number of files that are being received or read. One organization can use half of them. */
  readonly count: number;
}

/** Files on disk that exist only while they are uploaded. */
export interface Spool {
  /** Creates an empty file. If the disk is full, the first method of the file fails. */
  create(organizationId: string): SpooledFile;
  /**
   * Counts the file towards the files that are being received or read, until the returned function is called.
   * @throws {ApiError} UPLOADS_TOO_MANY
   */
  begin(organizationId: string): () => void;
  /** Number of files on disk. */
  readonly fileCount: number;
  /** Removes all files. */
  close(): Promise<void>;
}

/** A file that is being uploaded. */
export interface SpooledFile {
  readonly path: string;
  /** Number of bytes that were received. */
  readonly sizeBytes: number;
  /**
   * Adds bytes as they arrive, and frees the memory of the chunks. If `chunks` fails, the bytes before the failure
   * remain.
   * @throws {ApiError} UPLOAD_TOO_LARGE, UPLOADS_FULL, UPLOAD_DISK_FULL, and the errors of `chunks`
   */
  receive(chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Removes the end of the file. */
  truncate(sizeBytes: number): Promise<void>;
  /** Returns the last bytes of the file. */
  readEnd(sizeBytes: number): Promise<Uint8Array>;
  /** Returns the SHA-256 of the received bytes in Base64. */
  digest(): string;
  /** Returns the version of the file on disk, by which a reader recognizes it. */
  version(): Promise<string>;
  /** Removes the file. May be called more than once. */
  remove(): Promise<void>;
}

const mebibyte = 2 ** 20;
const retryAfterS = 5;
/** Chunks are written together, because each write occupies a thread of Node. */
const writtenBytes = 2 ** 20;
/** Maximum number of buffers in one call of the operating system. */
const mostBuffers = 1024;

/**
 * Opens the folder of files that are being uploaded. Files that an earlier host left there are removed, because no
 * upload survives its host.
 */
export async function openSpool(folder: string, limits: SpoolLimits): Promise<Spool> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = new Set<SpooledFile>();
  const bytesByOrganization = new Map<string, number>();
  const running = new Map<string, number>();
  let totalBytes = 0;

  const charge = (organizationId: string, bytes: number) => {
    const left = (bytesByOrganization.get(organizationId) ?? 0) + bytes;
    if (left > 0) bytesByOrganization.set(organizationId, left);
    else bytesByOrganization.delete(organizationId);
    totalBytes += bytes;
  };
  const reserve = (organizationId: string, bytes: number) => {
    const own = (bytesByOrganization.get(organizationId) ?? 0) + bytes;
    if (own > limits.organizationMb * mebibyte)
      throw new ApiError("UPLOADS_FULL", [
        "your organization",
        limits.organizationMb,
        "MANIFOLD_UPLOAD_ORGANIZATION_MB",
      ]);
    if (totalBytes + bytes > limits.totalMb * mebibyte)
      throw new ApiError("UPLOADS_FULL", ["the host", limits.totalMb, "MANIFOLD_UPLOAD_TOTAL_MB"]);
    charge(organizationId, bytes);
  };
  const begin = (organizationId: string) => {
    const mostOfOne = Math.ceil(limits.count / 2);
    const own = running.get(organizationId) ?? 0;
    const all = [...running.values()].reduce((sum, count) => sum + count, 0);
    if (own >= mostOfOne)
      throw new ApiError("UPLOADS_TOO_MANY", [own, "one organization"], { retryAfterS });
    if (all >= limits.count)
      throw new ApiError("UPLOADS_TOO_MANY", [all, "this host"], { retryAfterS });
    running.set(organizationId, own + 1);
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      const left = (running.get(organizationId) ?? 1) - 1;
      if (left > 0) running.set(organizationId, left);
      else running.delete(organizationId);
    };
  };

  const create = (organizationId: string): SpooledFile => {
    const path = join(folder, randomUUID());
    const opening = open(path, "wx+", 0o600).catch(refuseFull);
    opening.catch(() => undefined);
    const hash = createHash("sha256");
    let sizeBytes = 0;
    /** Bytes that were received but not written. */
    let held: Uint8Array[] = [];
    let heldBytes = 0;
    const writeHeld = async (handle: FileHandle) => {
      const [chunks, length] = [held, heldBytes];
      if (length === 0) return;
      try {
        await writeAll(handle, chunks, sizeBytes);
      } catch (failure) {
        charge(organizationId, -length);
        // Bytes of a part that was not written completely do not belong to the file.
        await handle.truncate(sizeBytes).catch(() => undefined);
        throw failure;
      } finally {
        [held, heldBytes] = [[], 0];
      }
      for (const chunk of chunks) hash.update(chunk);
      releaseChunks(chunks);
      sizeBytes += length;
    };
    let isRemoved = false;
    const file: SpooledFile = {
      path,
      get sizeBytes() {
        return sizeBytes + heldBytes;
      },
      async receive(chunks) {
        const handle = await opening;
        try {
          for await (const chunk of chunks) {
            if (file.sizeBytes + chunk.length > limits.fileMb * mebibyte)
              throw new ApiError("UPLOAD_TOO_LARGE", [limits.fileMb]);
            reserve(organizationId, chunk.length);
            held.push(chunk);
            heldBytes += chunk.length;
            if (heldBytes >= writtenBytes) await writeHeld(handle);
          }
        } finally {
          await writeHeld(handle);
        }
      },
      async truncate(toBytes) {
        await (await opening).truncate(toBytes);
        charge(organizationId, toBytes - sizeBytes);
        sizeBytes = toBytes;
      },
      async readEnd(endBytes) {
        const bytes = new Uint8Array(Math.min(endBytes, sizeBytes));
        const { bytesRead } = await (
          await opening
        ).read(bytes, 0, bytes.length, sizeBytes - bytes.length);
        return bytes.subarray(0, bytesRead);
      },
      digest: () => hash.copy().digest("base64"),
      async version() {
        const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
        return `${dev}:${ino}:${size}:${mtimeNs}`;
      },
      async remove() {
        if (isRemoved) return;
        isRemoved = true;
        files.delete(file);
        charge(organizationId, -sizeBytes);
        const handle = await opening.catch(() => undefined);
        await handle?.close();
        await rm(path, { force: true });
      },
    };
    files.add(file);
    return file;
  };
  return {
    create,
    begin,
    get fileCount() {
      return files.size;
    },
    async close() {
      for (const file of files) await file.remove();
    },
  };
}

/**
 * Frees the memory of chunks. Otherwise V8 collects all its memory after each 64 MiB of chunks. Chunks that share their
 * memory with others are kept.
 */
function releaseChunks(chunks: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength)
      buffer.transfer(0);
}

async function writeAll(
  handle: FileHandle,
  chunks: readonly Uint8Array[],
  at: number,
): Promise<void> {
  try {
    let left = chunks;
    for (let position = at; left.length > 0;) {
      const { bytesWritten } = await handle.writev(left.slice(0, mostBuffers), position);
      position += bytesWritten;
      let end = bytesWritten;
      let count = 0;
      while (count < left.length && end >= left[count]!.length) end -= left[count++]!.length;
      const [next, ...others] = left.slice(count);
      left = next ? [next.subarray(end), ...others] : [];
    }
  } catch (cause) {
    refuseFull(cause);
  }
}

function refuseFull(cause: unknown): never {
  const code = codeOf(cause);
  if (code === "ENOSPC" || code === "EDQUOT") throw new ApiError("UPLOAD_DISK_FULL", [], { cause });
  throw cause;
}
