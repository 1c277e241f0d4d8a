import PQueue from "p-queue";
import { ApiError } from "../errors.ts";

/** Hashes at a time in this process, each of 32 MiB and half a second of a processor. */
const atOnce = 2;
/** Calls that may wait for a turn: a flood of guesses leaves room for people who proved more. */
const mostWaiting = { trusted: 100, others: 20 };
const priorities = { trusted: 1, others: 0 };

const queue = new PQueue({ concurrency: atOnce });

const kindOf = (isTrusted: boolean) => (isTrusted ? "trusted" : "others");

/**
 * Refuses a call that would wait behind too many others, before it costs anything. Trusted calls come from known
 * devices and from sessions; they wait for each other only. @throws {ApiError} HOST_BUSY
 */
export function refuseWhileHashing(isTrusted: boolean): void {
  const kind = kindOf(isTrusted);
  if (queue.sizeBy({ priority: priorities[kind] }) >= mostWaiting[kind])
    throw new ApiError("HOST_BUSY", ["other sign-ins"], { retryAfterS: 5 });
}

/** Hashes in turn; trusted calls come first. @throws {ApiError} HOST_BUSY */
export async function hashInTurn<Hashes>(
  hash: () => Promise<Hashes>,
  isTrusted: boolean,
): Promise<Hashes> {
  refuseWhileHashing(isTrusted);
  return queue.add(hash, { priority: priorities[kindOf(isTrusted)] });
}
