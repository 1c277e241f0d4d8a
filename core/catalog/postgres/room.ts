import { statfs } from "node:fs/promises";

/**
 * A first start writes 60 MiB; a later one may add a file of 16 MiB to the server's log, and needs room for the store.
 */
const neededMb = 80;

/** Adds to the failure of a start that the disk of the folder is nearly full, where it is. */
export async function withLittleRoom(failure: unknown, folder: string): Promise<unknown> {
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMb >= neededMb || !(failure instanceof Error)) return failure;
  return new Error(
    `${failure.message}; the disk of ${folder} has ${freeMb} MiB free, and a start needs up to ${neededMb} MiB: free some room`,
    { cause: failure },
  );
}
