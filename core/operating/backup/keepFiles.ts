import { open } from "node:fs/promises";
import { join } from "node:path";
import type { BackupRecord } from "./backupRecord.ts";
import type { Vault } from "./vault/openVault.ts";

type KeptFile = BackupRecord["store"]["files"][number];

/**
 * Maximum bytes of a piece. Bytes are only appended to files, so all pieces except the last are the same in the next
 * backup.
 */
const pieceBytes = 2 ** 23;
/** Number of pieces that are processed concurrently, so that reading, hashing and writing overlap. */
const atOnce = 4;

/** Stores the first bytes of files, up to each file's given size, in pieces. */
export async function keepFiles(
  vault: Vault,
  folder: string,
  files: readonly { readonly name: string; readonly sizeBytes: number }[],
): Promise<KeptFile[]> {
  const kept: KeptFile[] = files.map(({ name, sizeBytes }) => ({ name, sizeBytes, pieces: [] }));
  const buffers: Uint8Array[] = [];
  await eachOf(piecesOf(kept), atOnce, async ({ name, sizeBytes, pieces, index }, lane) => {
    const start = index * pieceBytes;
    const buffer = (buffers[lane] ??= new Uint8Array(pieceBytes));
    const bytes = buffer.subarray(0, Math.min(pieceBytes, sizeBytes - start));
    const handle = await open(join(folder, name), "r");
    try {
      for (let done = 0; done < bytes.length;) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done);
        if (bytesRead === 0) throw new Error(`${name} ends at byte ${start + done}`);
        done += bytesRead;
      }
    } finally {
      await handle.close();
    }
    pieces[index] = await vault.keep(bytes);
  });
  return kept;
}

/** Lists the pieces of all files as one sequence, so that no worker waits at the end of a file. */
function* piecesOf(files: readonly KeptFile[]): Iterable<KeptFile & { readonly index: number }> {
  for (const file of files)
    for (let index = 0; index * pieceBytes < file.sizeBytes; index++) yield { ...file, index };
}

/**
 * Runs a task for each item with a fixed number of concurrent workers. After the first failure, no further task starts.
 */
async function eachOf<Item>(
  items: Iterable<Item>,
  count: number,
  run: (item: Item, lane: number) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  let hasFailed = false;
  const work = async (lane: number) => {
    for (let next = left.next(); !next.done && !hasFailed; next = left.next())
      try {
        await run(next.value, lane);
      } catch (failure) {
        hasFailed = true;
        throw failure;
      }
  };
  const ended = await Promise.allSettled(Array.from({ length: count }, (_, lane) => work(lane)));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}
