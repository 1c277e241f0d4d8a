import { setTimeout as wait } from "node:timers/promises";
import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";
import { addTask } from "./addTask.ts";
import type { OutboxContext } from "./carryOutDue.ts";
import { leaseMs, renewLease } from "./lease.ts";

const firstWaitMs = 5;
const longestWaitMs = 100;
/**
 * Milliseconds after which a waiting caller gets an error. The wait may be long, because moving a dataset may take
 * minutes.
 */
const mostWaitMs = 30_000;

/**
 * Lock under which hosts enter the queue one after another, so that the task with the lowest id is the first in the
 * queue.
 */
const lock = "select pg_advisory_xact_lock(hashtextextended('outbox_turn ' || ?::text, 0))";

/**
 * Waits until a change may begin, so that changes to a dataset run one after another across all hosts. Each change has
 * a `wait` task in the outbox, which later becomes the task of the change. The change whose task has the lowest id
 * runs, and the others wait. `settle` finishes the work of a dead host.
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
      // The catalog may have committed although the response was lost.
      if (added !== undefined) context.ended?.add(added);
      throw failure;
    });
  const endLease = renewLease(id, context);
  try {
    const endMs = performance.now() + mostWaitMs;
    for (let waitMs = firstWaitMs; !(await isFirst(id, datasetId, knex));) {
      if (performance.now() > endMs)
        throw new ApiError("HOST_BUSY", ["another change to the dataset"], { retryAfterS: 1 });
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
 * Gives up a turn whose change has not begun. Resolves to true if the turn was given up. Resolves to false if the
 * catalog is unavailable, or if the change has begun after all and only the response to its commit was lost. The task
 * then runs as soon as the catalog responds.
 */
export async function giveUp(id: string, { knex, log, ended }: OutboxContext): Promise<boolean> {
  try {
    if ((await knex("outbox").where({ id, action: "wait" }).delete()) === 1) return true;
  } catch (failure) {
    log.warn({ err: failure }, "a turn in the outbox could not be released");
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
    throw new ApiError("HOST_BUSY", ["other changes, so this change lost its turn"], {
      retryAfterS: 1,
    });
  return rows[0]?.is_first === true;
}
