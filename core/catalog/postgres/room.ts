import { statfs } from "node:fs/promises";

/**
 * Free space in MiB that a start needs. The first start writes 60 MiB. Later starts may add a file of 16 MiB to the
 * server's log, and the store needs space too.
 */
const neededMb = 80;

/** Adds a note to the message of a failed start if the folder's disk is nearly full. */
export async function withLittleRoom(failure: unknown, folder: string): Promise<unknown> {
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMb >= neededMb || !(failure instanceof Error)) return failure;
  return new Error(
    `${failure.message}; the disk of ${folder} has only ${freeMb} MiB free, but a start needs up to ${neededMb} MiB: free some space`,
    { cause: failure },
  );
}
