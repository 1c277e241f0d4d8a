import type { Knex } from "knex";
import type { Log } from "../log.ts";
import { type Presence, presentKeys } from "../openPresence.ts";
import { type Connections, messageOf, type Records } from "../../base/index.ts";
import type { Task } from "./addTask.ts";
import { carryOut } from "./carryOut.ts";
import { inTurn } from "./inTurn.ts";
import { leaseMs, renewLease } from "./lease.ts";
import { settlePush } from "./settlePush.ts";
import type { TaskRow } from "./taskRow.ts";

export interface OutboxContext {
  readonly knex: Knex;
  readonly records: Records;
  readonly connections: Pick<Connections, "store" | "others" | "elsewhere">;
  readonly log: Log;
  /**
   * The sign that this host is alive. Present if several hosts share a store; changes to a dataset then run one after
   * another across all hosts.
   */
  readonly presence?: Pick<Presence, "key"> | undefined;
  /** Ids of tasks of finished changes that could not be removed from the catalog yet. */
  readonly ended?: Set<string>;
}

const longestWaitS = 300;

/**
 * Runs all due tasks, oldest first, and removes them. Hosts that share a catalog take different tasks. A failed task
 * throws no error. It is retried after a delay that doubles with each failure, up to five minutes. No catalog
 * connection is held while the store works. After a crash, a task may run again, which changes nothing. With `turnOf`,
 * runs only tasks that dead hosts have left for one dataset.
 */
export async function carryOutDue(context: OutboxContext, turnOf?: string): Promise<void> {
  try {
    while (await takeOne(context, turnOf));
  } catch (failure) {
    context.log.warn(
      { err: failure },
      "due tasks of the outbox could not be read from the catalog",
    );
  }
}

async function takeOne(context: OutboxContext, turnOf: string | undefined): Promise<boolean> {
  const { knex, connections } = context;
  const row = await claim(context, turnOf);
  if (!row) return false;
  // The task holds the turn of its dataset across all hosts. It must not wait for the dataset's turn on this host,
  // because the change that holds that turn may be waiting for the task.
  if (row.turn_of !== null) await tryTask(row, context);
  else
    await inTurn(connections.store, row.securable_id, async () => {
      // The change may have been running until now, and may have removed the task.
      if (await knex("outbox").where({ id: row.id }).first("id")) await tryTask(row, context);
    });
  return true;
}

/**
 * Runs the tasks that earlier changes of a dataset have left, in the dataset's turn. Use this function only for stores
 * of a single host. Otherwise, the rows of a later change would hide whether the store accepted the earlier rows.
 * @throws the errors of the catalog
 */
export async function carryOutLeft(context: OutboxContext, securableId: string): Promise<void> {
  const { rows }: { rows: readonly TaskRow[] } = await context.knex.raw(
    `update outbox set due_at = clock_timestamp() + :lease * interval '1 millisecond'
      where securable_id = :id and turn_of is null returning *`,
    { lease: leaseMs, id: securableId },
  );
  for (const row of rows.toSorted((one, other) => Number(one.id) - Number(other.id)))
    await tryTask(row, context);
}

/** Takes the oldest task that is due or whose host is gone, under a lease. Keeps the order of turns of each dataset. */
async function claim(
  { knex, presence }: OutboxContext,
  turnOf: string | undefined,
): Promise<TaskRow | undefined> {
  const { rows }: { rows: readonly TaskRow[] } = await knex.raw(
    `update outbox set due_at = clock_timestamp() + :lease * interval '1 millisecond',
            host_key = case when :key::bigint in (${presentKeys}) then :key::integer end
      where id = (
        select o.id from outbox o
         where (o.due_at <= clock_timestamp()
                or (o.host_key is not null and o.host_key not in (${presentKeys})))
           and (o.turn_of is null
                or not exists (select from outbox e where e.turn_of = o.turn_of and e.id < o.id))
           and (:turn::uuid is null or o.turn_of = :turn::uuid)
         order by o.due_at, o.id limit 1 for update of o skip locked)
     returning *`,
    { lease: leaseMs, key: presence?.key ?? null, turn: turnOf ?? null },
  );
  return rows[0];
}

async function tryTask(row: TaskRow, context: OutboxContext): Promise<void> {
  const { knex, records, connections, log } = context;
  const task = {
    action: row.action,
    securableId: row.securable_id,
    columnId: row.column_id,
  } as Task;
  const endLease = renewLease(row.id, context);
  try {
    const rows = await carryOut(task, { records, connections });
    await knex.transaction(async (transaction) => {
      await settlePush(row, rows, transaction);
      await transaction("outbox").where({ id: row.id }).delete();
    });
  } catch (failure) {
    const attemptCount = row.attempt_count + 1;
    const waitS = Math.min(2 ** attemptCount, longestWaitS);
    log.warn({ ...task, attemptCount, waitS, err: failure }, "the store could not run a task");
    await knex("outbox")
      .where({ id: row.id })
      .update({
        attempt_count: attemptCount,
        problem: messageOf(failure).slice(0, 1_000),
        due_at: knex.raw("clock_timestamp() + ? * interval '1 second'", [waitS]),
      });
  } finally {
    endLease();
  }
}
