import type { Knex } from "knex";
import type { ResourceRow } from "../../base/index.ts";

/** Number of failures in a row after which the messages of a channel wait. */
export const mostFailures = 5;
/** How long a message may try a paused channel before another message may try it. */
const probeMs = 120_000;
const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;

type Channel = Pick<ResourceRow<"channel">, "id" | "failures" | "paused_until">;

/**
 * Checks whether a message may be sent to a channel now, and returns undefined if it may. After several failures in a
 * row, only one message at a time tries the channel, and only after the channel's pause. For all other messages,
 * returns the time until which they must wait.
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

/** Records a success, so that all messages of the channel are sent again. */
export async function noteSuccess(
  transaction: Knex.Transaction,
  { id, failures }: Channel,
): Promise<void> {
  if (failures === 0) return;
  await transaction("channel").where({ id }).update({ failures: 0, paused_until: null });
}

/**
 * Records a failure, and pauses a channel after several failures in a row. Resolves to the number of failures in a row.
 */
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
