import type { Knex } from "knex";
import { ApiError } from "../errors.ts";
import { addTask, type Task } from "./addTask.ts";
import { carryOutDue, type OutboxContext } from "./carryOutDue.ts";

/** Tasks of the store, carried out while it is open. */
export interface Outbox {
  /**
   * Runs a change of catalog and store that `undo` puts right when it does not commit: the task is committed before
   * the change starts, and removed by the transaction of the change. So it stays after a crash at any point, and while
   * the transaction lives nobody else takes it.
   * @throws what `run` throws, or the commit; the task has been tried once by then
   */
  guard<Result>(
    undo: Task,
    run: (transaction: Knex.Transaction) => Promise<Result>,
  ): Promise<Result>;
  /** Carries out what is due, now. Failures are logged and tried again later. */
  carryOut(): Promise<void>;
  close(): Promise<void>;
}

const everyMs = 5_000;
/** How long a change may wait for its transaction; longer than the pool makes anyone wait. */
const claimMs = 60_000;

/** Opens the outbox of a catalog: looks every five seconds for tasks that are due. */
export function openOutbox(context: OutboxContext): Outbox {
  const { records, log } = context;
  let flight: Promise<void> = Promise.resolve();
  const carryOut = () => (flight = flight.then(() => carryOutDue(context)));
  const timer = setInterval(carryOut, everyMs);
  timer.unref();
  return {
    carryOut,
    async guard(undo, run) {
      const id = await context.knex.transaction((first) => addTask(first, undo, claimMs));
      try {
        return await records.transaction(async (transaction) => {
          const claimed = await transaction("outbox").where({ id }).delete();
          if (claimed !== 1)
            throw new ApiError("CONFLICT", [
              "the change waited too long for its turn; send it again",
            ]);
          return run(transaction);
        });
      } catch (failure) {
        const now = context.knex.raw("clock_timestamp()");
        await Promise.resolve(context.knex("outbox").where({ id }).update({ due_at: now })).then(
          carryOut,
          (cause: unknown) =>
            log.warn({ ...undo, err: cause }, "a task of the store waits for its time"),
        );
        throw failure;
      }
    },
    async close() {
      clearInterval(timer);
      await flight;
    },
  };
}
