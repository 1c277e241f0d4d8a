import PQueue from "p-queue";
import { ApiError } from "../../base/index.ts";

/** Maximum number of concurrent hashes in this process. Each takes 32 MiB and half a second of processor time. */
const atOnce = 2;
/**
 * Maximum number of waiting calls. Trusted calls have a limit of their own, so that a flood of guesses cannot block
 * them.
 */
const mostWaiting = { trusted: 100, others: 20 };
const priorities = { trusted: 1, others: 0 };

const queue = new PQueue({ concurrency: atOnce });

const kindOf = (isTrusted: boolean) => (isTrusted ? "trusted" : "others");

/**
 * Refuses a call before it is queued if too many others are waiting. Trusted calls come from known devices and from
 * sessions, and wait only for other trusted calls.
 * @throws {ApiError} HOST_BUSY
 */
export function refuseWhileHashing(isTrusted: boolean): void {
  const kind = kindOf(isTrusted);
  if (queue.sizeBy({ priority: priorities[kind] }) >= mostWaiting[kind])
    throw new ApiError("HOST_BUSY", ["other sign-ins"], { retryAfterS: 5 });
}

/**
 * Queues a hash and runs it. Trusted calls come first.
 * @throws {ApiError} HOST_BUSY
 */
export async function hashInQueue<Hashes>(
  hash: () => Promise<Hashes>,
  isTrusted: boolean,
): Promise<Hashes> {
  refuseWhileHashing(isTrusted);
  return queue.add(hash, { priority: priorities[kindOf(isTrusted)] });
}
