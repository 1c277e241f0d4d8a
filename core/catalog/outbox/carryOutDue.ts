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
  /** The sign that this host lives, where hosts share a store: changes of a dataset have turns over all of them. */
  readonly presence?: Pick<Presence, "key"> | undefined;
  /** Tasks of changes that have ended, and that the catalog could not be told of. */
  readonly ended?: Set<string>;
}

const longestWaitS = 300;

/**
 * Carries out every task that is due, the oldest first, and removes it; hosts that share the catalog take
 * different ones. A task that fails is put off, twice as long each time, and at most five minutes; nothing is thrown
 * for it. No connection is held while the store works. Tasks may be carried out again after a crash: each of them does
 * nothing the second time. `turnOf` limits it to what hosts that are gone have left in the turns of one dataset.
 */
export async function carryOutDue(context: OutboxContext, turnOf?: string): Promise<void> {
  try {
    while (await takeOne(context, turnOf));
  } catch (failure) {
    context.log.warn({ err: failure }, "the tasks of the store could not be read");
  }
}

async function takeOne(context: OutboxContext, turnOf: string | undefined): Promise<boolean> {
  const { knex, connections } = context;
  const row = await claim(context, turnOf);
  if (!row) return false;
  // It is the turn over all hosts: who has the turn on this one may be waiting for it.
  if (row.turn_of !== null) await tryTask(row, context);
  else
    await inTurn(connections.store, row.securable_id, async () => {
      // A change that was still at work may have removed it before this turn.
      if (await knex("outbox").where({ id: row.id }).first("id")) await tryTask(row, context);
    });
  return true;
}

/**
 * Carries out, in the turn of a dataset of a store of this host alone, what its changes before have left: the rows of a
 * later change would hide whether the store took theirs.
 * @throws what the catalog throws
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

/**
 * Takes the oldest task that is due, or whose host is gone: nobody else does until the lease ends. The turns of a
 * dataset follow each other here too.
 */
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
    const stored = await carryOut(task, { records, connections });
    await knex.transaction(async (transaction) => {
      await settlePush(row, stored, transaction);
      await transaction("outbox").where({ id: row.id }).delete();
    });
  } catch (failure) {
    const attemptCount = row.attempt_count + 1;
    const waitS = Math.min(2 ** attemptCount, longestWaitS);
    log.warn({ ...task, attemptCount, waitS, err: failure }, "the store did not carry out a task");
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
