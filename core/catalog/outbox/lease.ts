import type { Knex } from "knex";
import type { Log } from "../log.ts";

/** Milliseconds for which a task belongs to the host that is working on it. */
export const leaseMs = 60_000;

/** Keeps renewing the lease of a task, so that the task does not become due, until the returned function is called. */
export function renewLease(
  id: string,
  { knex, log }: { readonly knex: Knex; readonly log: Log },
): () => void {
  const renew = async () => {
    const later = knex.raw("clock_timestamp() + ? * interval '1 millisecond'", [leaseMs]);
    await knex("outbox").where({ id }).update({ due_at: later });
  };
  const timer = setInterval(() => {
    renew().catch((failure: unknown) =>
      log.warn({ err: failure }, "the lease of a task could not be renewed"),
    );
  }, leaseMs / 3);
  timer.unref();
  return () => clearInterval(timer);
}
