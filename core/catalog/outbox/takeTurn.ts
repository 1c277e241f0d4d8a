import { setTimeout as wait } from "node:timers/promises";
import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";
import { addTask } from "./addTask.ts";
import type { OutboxContext } from "./carryOutDue.ts";
import { leaseMs, renewLease } from "./lease.ts";

const firstWaitMs = 5;
const longestWaitMs = 100;
/** Milliseconds after which a caller is better told than kept: a move of the dataset may take minutes. */
const mostWaitMs = 30_000;

/** Hosts write their places one after another, so that the lowest id was there first. */
const lock = "select pg_advisory_xact_lock(hashtextextended('outbox_turn ' || ?::text, 0))";

/**
 * Takes the turn of a dataset over all hosts: a task of the outbox, which becomes the task of the change. The lowest
 * of a dataset is at work, and the others wait. `settle` carries out what a host that is gone has left of it.
 * @throws {ApiError} HOST_BUSY after half a minute
 */
export async function takeTurn(
  datasetId: string,
  context: OutboxContext,
  settle: () => Promise<void>,
): Promise<string> {
  const { knex } = context;
  let added: string | undefined;
  const id = await knex
    .transaction(async (transaction) => {
      await transaction.raw(lock, [datasetId]);
      added = await addTask(transaction, { action: "wait", securableId: datasetId }, leaseMs, {
        hostKey: context.presence?.key,
      });
      return added;
    })
    .catch((failure: unknown) => {
      // The answer of its commit may be lost.
      if (added !== undefined) context.ended?.add(added);
      throw failure;
    });
  const endLease = renewLease(id, context);
  try {
    const endMs = performance.now() + mostWaitMs;
    for (let waitMs = firstWaitMs; !(await isFirst(id, datasetId, knex));) {
      if (performance.now() > endMs)
        throw new ApiError("HOST_BUSY", ["another change of the dataset"], { retryAfterS: 1 });
      await settle();
      await wait(waitMs);
      waitMs = Math.min(2 * waitMs, longestWaitMs);
    }
    return id;
  } catch (failure) {
    await giveUp(id, context);
    throw failure;
  } finally {
    endLease();
  }
}

/**
 * Leaves a turn whose change has not begun; resolves to whether it was left. It has begun when the answer of the commit
 * that began it was lost. Then, and when the catalog is away, the task is carried out as soon as the catalog answers.
 */
export async function giveUp(id: string, { knex, log, ended }: OutboxContext): Promise<boolean> {
  try {
    if ((await knex("outbox").where({ id, action: "wait" }).delete()) === 1) return true;
  } catch (failure) {
    log.warn({ err: failure }, "a turn was not given up");
  }
  ended?.add(id);
  return false;
}

async function isFirst(id: string, datasetId: string, knex: Knex): Promise<boolean> {
  const { rows }: { rows: { is_there: boolean; is_first: boolean }[] } = await knex.raw(
    `select exists (select from outbox where id = :id) as is_there,
            not exists (select from outbox where turn_of = :dataset::uuid and id < :id) as is_first`,
    { id, dataset: datasetId },
  );
  if (rows[0]?.is_there === false)
    throw new ApiError("HOST_BUSY", ["the catalog, which lost sight of it"], { retryAfterS: 1 });
  return rows[0]?.is_first === true;
}
