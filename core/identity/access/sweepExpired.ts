import type { Catalog, Log } from "../../catalog/index.ts";

export interface Sweep {
  /** Removes a batch of tokens that expired long ago. Returns the number of removed tokens. */
  run(): Promise<number>;
  close(): Promise<void>;
}

const everyMs = 3_600_000;
const batch = 10_000;

/**
 * Expired tokens are kept for 30 days, so that scheduled work can report an expired token as the reason why it does not
 * run.
 */
const statement = `
  delete from "authorization"
   where id in (select id from "authorization"
                 where type <> 'api' and expiry < now() - interval '30 days'
                 limit ?)`;

/**
 * Opens the task that removes expired tokens, which accumulate because embedding applications create a token for each
 * page view. The task runs once an hour, on one of the hosts. A failed run is logged and does not prevent the next one.
 */
export function openSweep({
  catalog,
  log,
}: {
  readonly catalog: Pick<Catalog, "knex">;
  readonly log: Log;
}): Sweep {
  let running: Promise<unknown> = Promise.resolve();
  const run = async (): Promise<number> => {
    const answer: { rowCount: number } = await catalog.knex.raw(statement, [batch]);
    return answer.rowCount;
  };
  const timer = setInterval(() => {
    running = run().catch((failure: unknown) =>
      log.warn({ err: failure }, "expired tokens could not be removed"),
    );
  }, everyMs).unref();
  return {
    run,
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
