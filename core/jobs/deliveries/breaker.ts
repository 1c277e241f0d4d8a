import type { Knex } from "knex";
import type { ResourceRow } from "../../base/index.ts";

/** Failures in a row after which messages of a channel wait. */
export const mostFailures = 5;
/** A message that tries a paused channel has this long before another one may. */
const probeMs = 120_000;
const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;

type Channel = Pick<ResourceRow<"channel">, "id" | "failures" | "paused_until">;

/**
 * Takes a turn at a channel. Undefined: send. After several failures in a row only one message at a time tries the
 * channel, and only when its pause is over; every other one gets the instant until which it waits.
 */
export async function takeTurn(
  knex: Knex,
  { id, failures, paused_until }: Channel,
  nowMs: number,
): Promise<Date | undefined> {
  if (failures < mostFailures || paused_until === null) return undefined;
  const nextProbe = new Date(nowMs + probeMs);
  const taken = await knex("channel")
    .where({ id })
    .where("paused_until", "<=", new Date(nowMs))
    .update({ paused_until: nextProbe });
  if (taken > 0) return undefined;
  return paused_until.getTime() > nowMs ? paused_until : nextProbe;
}

/** Notes a success: the channel is open again. */
export async function noteSuccess(
  transaction: Knex.Transaction,
  { id, failures }: Channel,
): Promise<void> {
  if (failures === 0) return;
  await transaction("channel").where({ id }).update({ failures: 0, paused_until: null });
}

/** Notes a failure, and pauses a channel that failed several times in a row. Resolves to the failures in a row. */
export async function noteFailure(
  transaction: Knex.Transaction,
  { id }: Channel,
  nowMs: number,
): Promise<number> {
  const [row]: { failures: number }[] = await transaction("channel")
    .where({ id })
    .update({ failures: transaction.raw("failures + 1") })
    .returning("failures");
  const failures = row?.failures ?? 0;
  if (failures < mostFailures) return failures;
  const pauseMs = Math.min(
    longestPauseMs,
    firstPauseMs * 2 ** Math.min(20, failures - mostFailures),
  );
  await transaction("channel")
    .where({ id })
    .update({ paused_until: new Date(nowMs + pauseMs) });
  return failures;
}
