import type { Knex } from "knex";
import type { Log } from "../catalog/index.ts";
import type { Connections } from "../connections/connection.ts";
import type { Records } from "../resources/records.ts";
import type { Task } from "./addTask.ts";
import { carryOut } from "./carryOut.ts";

export interface OutboxContext {
  readonly knex: Knex;
  readonly records: Records;
  readonly connections: Pick<Connections, "store">;
  readonly log: Log;
}

const longestWaitS = 300;

/**
 * Carries out every task that is due, the oldest first, and removes it; hosts that share the catalog take
 * different ones. A task that fails is put off, twice as long each time, and at most five minutes; nothing is thrown
 * for it. Tasks may be carried out again after a crash: each of them does nothing the second time.
 */
export async function carryOutDue(context: OutboxContext): Promise<void> {
  try {
    while (await takeOne(context));
  } catch (failure) {
    context.log.warn({ err: failure }, "the tasks of the store could not be read");
  }
}

async function takeOne({ knex, records, connections, log }: OutboxContext): Promise<boolean> {
  return knex.transaction(async (transaction) => {
    const [row] = await transaction("outbox")
      .where("due_at", "<=", transaction.raw("clock_timestamp()"))
      .orderBy("due_at")
      .orderBy("id")
      .limit(1)
      .forUpdate()
      .skipLocked();
    if (!row) return false;
    const task = {
      action: row.action,
      securableId: row.securable_id,
      columnId: row.column_id,
    } as Task;
    try {
      // A savepoint: what the catalog refuses here must not take the postponement with it.
      await transaction.transaction((nested) =>
        carryOut(task, { records, store: connections.store, transaction: nested }),
      );
      await transaction("outbox").where({ id: row.id }).delete();
    } catch (failure) {
      const attemptCount = Number(row.attempt_count) + 1;
      const waitS = Math.min(2 ** attemptCount, longestWaitS);
      log.warn(
        { ...task, attemptCount, waitS, err: failure },
        "the store did not carry out a task",
      );
      await transaction("outbox")
        .where({ id: row.id })
        .update({
          attempt_count: attemptCount,
          problem: (failure as Error).message.slice(0, 1_000),
          due_at: transaction.raw("clock_timestamp() + ? * interval '1 second'", [waitS]),
        });
    }
    return true;
  });
}
