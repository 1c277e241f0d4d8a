import { statfs } from "node:fs/promises";

/**
 * A first start writes 60 MiB. A later one may add a 16 MiB file to the server's log, and needs space for the store.
 */
const neededMb = 80;

/** Adds to a start failure that the folder's disk is nearly full, if it is. */
export async function withLittleRoom(failure: unknown, folder: string): Promise<unknown> {
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMb >= neededMb || !(failure instanceof Error)) return failure;
  return new Error(
    `${failure.message}; the disk of ${folder} has only ${freeMb} MiB free, but a start needs up to ${neededMb} MiB: free some space`,
    { cause: failure },
  );
}
