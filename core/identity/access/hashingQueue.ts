import PQueue from "p-queue";
import { ApiError } from "../../base/index.ts";

/** Concurrent hashes in this process; each takes 32 MiB and half a second of processor time. */
const atOnce = 2;
/** Calls that may wait for a turn. Trusted calls have their own limit, so a flood of guesses cannot fill it. */
const mostWaiting = { trusted: 100, others: 20 };
const priorities = { trusted: 1, others: 0 };

const queue = new PQueue({ concurrency: atOnce });

const kindOf = (isTrusted: boolean) => (isTrusted ? "trusted" : "others");

/**
 * Refuses a call early if it would wait behind too many others. Trusted calls come from known devices and from
 * sessions, and wait only for each other.
 * @throws {ApiError} HOST_BUSY
 */
export function refuseWhileHashing(isTrusted: boolean): void {
  const kind = kindOf(isTrusted);
  if (queue.sizeBy({ priority: priorities[kind] }) >= mostWaiting[kind])
    throw new ApiError("HOST_BUSY", ["other sign-ins"], { retryAfterS: 5 });
}

/**
 * Runs a hash in turn. Trusted calls come first.
 * @throws {ApiError} HOST_BUSY
 */
export async function hashInQueue<Hashes>(
  hash: () => Promise<Hashes>,
  isTrusted: boolean,
): Promise<Hashes> {
  refuseWhileHashing(isTrusted);
  return queue.add(hash, { priority: priorities[kindOf(isTrusted)] });
}
