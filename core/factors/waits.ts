import type { Knex } from "knex";
import { ApiError } from "../errors.ts";

/** Wrong codes that cost nothing: people mistype. */
const freeCount = 4;
const firstWaitMs = 60_000;
const longestWaitMs = 3_600_000;

/**
 * Holds the codes of a user until the transaction ends, so that hosts check them one after another.
 * @throws {ApiError} SECOND_FACTOR_WAIT
 */
export async function holdCodes(
  userId: string,
  nowMs: number,
  transaction: Knex.Transaction,
): Promise<void> {
  await transaction.raw(
    "insert into second_factor_wait (user_id) values (?) on conflict do nothing",
    [userId],
  );
  const held: { failed_count: number; ends_at: Date } = await transaction("second_factor_wait")
    .where({ user_id: userId })
    .forUpdate()
    .first();
  const waitMs = held.ends_at.getTime() - nowMs;
  if (held.failed_count > freeCount && waitMs > 0)
    throw new ApiError("SECOND_FACTOR_WAIT", [], { retryAfterS: Math.ceil(waitMs / 1000) });
}

/** Counts a wrong code: from the fifth on each doubles the wait, from a minute to an hour. */
export async function countWrong(
  userId: string,
  nowMs: number,
  transaction: Knex.Transaction,
): Promise<void> {
  const own = transaction("second_factor_wait").where({ user_id: userId });
  const held: { failed_count: number } = await own.clone().first("failed_count");
  const count = held.failed_count + 1;
  const doubled = firstWaitMs * 2 ** Math.min(20, Math.max(0, count - freeCount - 1));
  const waitMs = count > freeCount ? Math.min(longestWaitMs, doubled) : 0;
  await own.update({ failed_count: count, ends_at: new Date(nowMs + waitMs) });
}

/** Forgets wrong codes, after a right one. */
export async function forgetWrong(userId: string, transaction: Knex.Transaction): Promise<void> {
  await transaction("second_factor_wait").where({ user_id: userId }).delete();
}
