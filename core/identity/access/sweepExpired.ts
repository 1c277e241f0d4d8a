import type { Catalog, Log } from "../../catalog/index.ts";

export interface Sweep {
  /** Removes some of what expired long ago; answers how many. */
  run(): Promise<number>;
  close(): Promise<void>;
}

const everyMs = 3_600_000;
const batch = 10_000;

/** They stay for 30 days, so that what runs later in their name can say why it does not. */
const statement = `
  delete from "authorization"
   where id in (select id from "authorization"
                 where type <> 'api' and expiry < now() - interval '30 days'
                 limit ?)`;

/**
 * Opens the removal of tokens that expired: embedders make one a page view. It runs once an hour, on any host; a run
 * that fails is logged, and the next one comes.
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
      log.warn({ err: failure }, "expired tokens were not removed"),
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
