import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";
import { addTask, beginTask, type Task, type TaskOfPush } from "./addTask.ts";
import { carryOutDue, carryOutLeft, type OutboxContext } from "./carryOutDue.ts";
import { inTurn } from "./inTurn.ts";
import { leaseMs, renewLease } from "./lease.ts";
import { giveUp, takeTurn } from "./takeTurn.ts";

/** A change to the store and the catalog in three steps. */
export interface GuardedChange<Prepared, Written, Result> {
  /** Checks and prepares the change. A failure here needs no undo. */
  prepare(): Promise<Prepared>;
  /**
   * Refuses or counts the change, in the transaction that writes the change's task. A failure here needs no undo.
   * Resolves to the push to which the task belongs.
   */
  claim?(transaction: Knex.Transaction, prepared: Prepared): Promise<TaskOfPush>;
  /** Changes the store. No catalog connection is held during this step. */
  write(prepared: Prepared): Promise<Written>;
  /** Changes the catalog, in one transaction. */
  commit(transaction: Knex.Transaction, prepared: Prepared, written: Written): Promise<Result>;
}

/** Tasks for the store, which run while the outbox is open. */
export interface Outbox {
  /**
   * Runs a change to one dataset, and undoes the change if it does not commit. The task that undoes it is written
   * before the store changes, and removed in the transaction of the commit, so it survives a crash at any point.
   * Changes to a dataset run in the order of the calls. While a change is running, no host takes its task.
   * @throws {ApiError} CONFLICT if another host has undone the change in the meantime
   * @throws the errors of the steps; after `prepare`, the task has already been tried once
   */
  guard<Prepared, Written, Result>(
    undo: Task,
    change: GuardedChange<Prepared, Written, Result>,
  ): Promise<Result>;
  /**
   * Makes every task due. A host calls this method when it starts, if no other host writes to the store, because every
   * earlier host is then dead.
   */
  takeOver(): Promise<void>;
  /** Runs all due tasks now. Failed tasks are logged and retried later. */
  carryOut(): Promise<void>;
  /**
   * Returns the ids of datasets that the store still has to drop, including those whose tasks a killed host holds under
   * a lease.
   */
  idsToDrop(): Promise<ReadonlySet<string>>;
  /** Returns the number of unfinished tasks and the age of the oldest task in seconds. Executes one SQL statement. */
  observed(): Promise<{ readonly taskCount: number; readonly oldestS: number }>;
  close(): Promise<void>;
}

const everyMs = 5_000;

/** How far a change has progressed. */
interface Progress {
  isStarted: boolean;
}

/** Opens the outbox of a catalog, which looks for due tasks every five seconds. */
export function openOutbox(given: Omit<OutboxContext, "ended">): Outbox {
  const ended = new Set<string>();
  const context: OutboxContext = { ...given, ended };
  const { knex, records, connections, log } = context;
  /** Ids of datasets with a change that may have left a task. */
  const unsettled = new Set<string>();
  let flight: Promise<void> = Promise.resolve();
  const makeDue = async () => {
    const ids = [...ended];
    if (ids.length === 0) return;
    await knex("outbox")
      .whereIn("id", ids)
      .update({ due_at: knex.raw("clock_timestamp()") });
    for (const id of ids) ended.delete(id);
  };
  const carryOut = () =>
    (flight = flight.then(async () => {
      await makeDue().catch((cause: unknown) =>
        log.warn({ err: cause }, "tasks of the store are waiting for the catalog to respond"),
      );
      await carryOutDue(context);
    }));
  // The function logs its failures itself.
  const timer = setInterval(() => void carryOut(), everyMs);
  timer.unref();

  const withTask = async <Result>(id: string, run: () => Promise<Result>) => {
    const endLease = renewLease(id, context);
    try {
      return await run();
    } catch (failure) {
      ended.add(id);
      throw failure;
    } finally {
      endLease();
    }
  };
  const writeAndCommit = <Prepared, Written, Result>(
    id: string,
    prepared: Prepared,
    { write, commit }: GuardedChange<Prepared, Written, Result>,
  ) =>
    withTask(id, async () => {
      const written = await write(prepared);
      return records.transaction(async (transaction) => {
        if ((await transaction("outbox").where({ id }).delete()) !== 1)
          throw new ApiError("CONFLICT", [
            "the change took too long, and another host has undone it; send it again",
          ]);
        return commit(transaction, prepared, written);
      });
    });
  const guardOwn = async <Prepared, Written, Result>(
    undo: Task,
    change: GuardedChange<Prepared, Written, Result>,
    progress: Progress,
  ): Promise<Result> => {
    const { claim } = change;
    const prepared = await change.prepare();
    let added: string | undefined;
    const claimAndAdd = async (transaction: Knex.Transaction) => {
      const push = await claim?.(transaction, prepared);
      return (added = await addTask(transaction, undo, leaseMs, push && { push }));
    };
    const id = await knex.transaction(claimAndAdd).catch((failure: unknown) => {
      // The catalog may have committed although the response was lost.
      if (added !== undefined) ended.add(added);
      progress.isStarted = added !== undefined;
      throw failure;
    });
    progress.isStarted = true;
    return writeAndCommit(id, prepared, change);
  };
  /**
   * Runs a change in a store that hosts share. The task is written before the change is prepared, because the task
   * reserves the dataset's turn across all hosts.
   */
  const guardShared = async <Prepared, Written, Result>(
    undo: Task,
    change: GuardedChange<Prepared, Written, Result>,
    progress: Progress,
  ): Promise<Result> => {
    const { claim } = change;
    const { securableId } = undo;
    const id = await takeTurn(securableId, context, () => carryOutDue(context, securableId));
    const endLease = renewLease(id, context);
    let prepared: Prepared;
    try {
      prepared = await change.prepare();
      if (claim) {
        const ready = prepared;
        await knex.transaction(async (transaction) =>
          beginTask(transaction, id, undo, await claim(transaction, ready)),
        );
      } else await beginTask(knex, id, undo);
    } catch (failure) {
      progress.isStarted = !(await giveUp(id, context));
      throw failure;
    } finally {
      endLease();
    }
    progress.isStarted = true;
    return writeAndCommit(id, prepared, change);
  };
  return {
    carryOut,
    async guard(undo, change) {
      const progress = { isStarted: false };
      const { securableId } = undo;
      try {
        return await inTurn(connections.store, securableId, async () => {
          if (context.presence) return guardShared(undo, change, progress);
          if (unsettled.has(securableId)) await carryOutLeft(context, securableId);
          unsettled.delete(securableId);
          try {
            return await guardOwn(undo, change, progress);
          } catch (failure) {
            if (progress.isStarted) unsettled.add(securableId);
            throw failure;
          }
        });
      } catch (failure) {
        // The turn of the failed change is over, so its task runs in a new turn.
        if (progress.isStarted) await carryOut();
        throw failure;
      }
    },
    async takeOver() {
      await knex("outbox").update({ due_at: knex.raw("clock_timestamp()") });
    },
    async idsToDrop() {
      return new Set(await knex("outbox").where({ action: "drop" }).pluck("securable_id"));
    },
    async observed() {
      const { rows } = await knex.raw<{ rows: { count: number; age: number }[] }>(
        `select count(*)::int as count,
                coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
           from outbox`,
      );
      return { taskCount: rows[0]?.count ?? 0, oldestS: rows[0]?.age ?? 0 };
    },
    async close() {
      clearInterval(timer);
      await flight;
    },
  };
}
