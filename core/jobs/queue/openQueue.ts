import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { fromKnex, PgBoss } from "pg-boss";
import { arrayBinding, type Log } from "../../catalog/index.ts";
import { databaseOf } from "./databaseOf.ts";
import type { JobKind } from "./jobKind.ts";
import { openLookout } from "./openLookout.ts";
import { openWorker, type Worker } from "./openWorker.ts";
import type { Pace } from "./pace.ts";
import { queueSchema } from "./queueSchema.ts";

export interface NewJob {
  readonly data: object;
  /**
   * The earliest time at which the job may start.
   * @default at once
   */
  readonly startAfter?: Date;
  /**
   * Jobs with a higher priority run first.
   * @default 0
   */
  readonly priority?: number;
}

/** How many jobs with one name are waiting, running and failed. */
export interface QueueDepth {
  readonly name: string;
  readonly waitingCount: number;
  readonly runningCount: number;
  readonly failedCount: number;
}

/** Durable jobs in the catalog, shared by all hosts on the catalog. */
export interface Queue {
  /**
   * Adds jobs in the transaction of the change that causes them. The jobs exist once the transaction commits. This host
   * then starts them when they are due; other hosts poll every few seconds.
   */
  add(name: string, jobs: readonly NewJob[], transaction: Knex.Transaction): Promise<void>;
  depths(): Promise<readonly QueueDepth[]>;
  /** Runs a failed or cancelled job again. Resolves to the number of jobs changed: 0 if the job is in another state. */
  retry(name: string, id: string): Promise<number>;
  /**
   * Cancels a waiting or running job. A current run is not repeated. If its kind `isStoppable`, it stops: on this host
   * at once, on another host at that host's next sign of life. Resolves to the number of jobs changed.
   */
  cancel(name: string, id: string): Promise<number>;
  /** Waits for running jobs for at most `graceMs`. Other jobs wait, or run on other hosts. */
  close(): Promise<void>;
}

export interface QueueOptions {
  readonly knex: Knex;
  readonly log: Log;
  readonly kinds: readonly JobKind[];
  readonly graceMs?: number;
  readonly pace?: Partial<Pace>;
}

const usualGraceMs = 10_000;
const rarelyS = 3_600;
const usualPace: Pace = { pollS: 5, heartbeatS: 30, superviseS: 30 };
/** Minimum milliseconds between two polls. Jobs that are due within this time start together. */
const leastLookMs = 1_000;

/**
 * Opens the jobs of a catalog: creates their tables in the schema `jobs` at the first start, and starts to run the
 * given kinds. If a host dies, the jobs that it had started run again within a minute.
 * @throws {Error} if the tables cannot be created
 */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { knex, log, kinds, graceMs = usualGraceMs } = options;
  const { pollS, heartbeatS, superviseS } = { ...usualPace, ...options.pace };
  const boss = new PgBoss({
    db: databaseOf(knex),
    schema: queueSchema,
    schedule: false,
    registerInstance: false,
    superviseIntervalSeconds: superviseS,
    monitorIntervalSeconds: superviseS,
    reindex: false,
    // These checks are rare, because our jobs never wait for other jobs, and kinds change only when a host starts.
    flowIntervalSeconds: rarelyS,
    queueCacheIntervalSeconds: rarelyS,
  });
  boss.on("error", (failure) =>
    log.warn({ err: failure }, "the jobs wait until the catalog responds"),
  );
  boss.on("warning", ({ message }) =>
    log.warn({ problem: message }, "the queue reported a problem"),
  );
  await boss.start();
  const workers = new Map<string, Worker>();
  // A queue must exist before other queues can refer to it.
  const isNamed = ({ name }: JobKind) => kinds.some(({ whenLost }) => whenLost === name);
  const ordered = kinds.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
  for (const kind of ordered)
    workers.set(kind.name, await openWorker({ boss, kind, log, heartbeatS }));
  const names = [...workers.keys()];
  const wake = (name: string) => workers.get(name)?.wake();
  const look = async (): Promise<number> => {
    const { rows }: { rows: { name: string; wait_ms: number }[] } = await knex.raw(
      `select n.name, least(${waitMsOf("created")}, ${waitMsOf("retry")}) as wait_ms
         from unnest(?::text[]) as n (name)`,
      [queueSchema, queueSchema, arrayBinding(names)],
    );
    const waiting = rows.filter(({ wait_ms }) => wait_ms !== null);
    for (const { name, wait_ms } of waiting) if (wait_ms <= 0) wake(name);
    return Math.min(...waiting.map(({ wait_ms }) => (wait_ms > 0 ? wait_ms : Infinity)));
  };
  // One statement for all kinds, because waking each kind would take a connection per kind.
  const lookout = openLookout({
    everyMs: pollS * 1000,
    leastMs: Math.min(leastLookMs, pollS * 1000),
    look: () =>
      look().catch((failure: unknown) => {
        log.warn({ err: failure }, "the jobs wait until the catalog responds");
        return Infinity;
      }),
  });
  const begin = (name: string, jobs: readonly NewJob[]) => {
    const atMs = Date.now();
    const waitsMs = jobs.map(({ startAfter }) => Math.max(0, Number(startAfter ?? 0) - atMs));
    if (waitsMs.includes(0)) wake(name);
    const laterMs = waitsMs.filter((ms) => ms > 0);
    if (laterMs.length > 0) lookout.lookIn(Math.min(...laterMs));
  };
  return {
    async add(name, jobs, transaction) {
      if (jobs.length === 0) return;
      const inserted = jobs.map(({ data, startAfter, priority }) => ({
        data,
        ...(startAfter && { startAfter }),
        ...(priority !== undefined && { priority }),
      }));
      await boss.insert(name, inserted, { db: fromKnex(transaction) });
      void transaction.executionPromise.then(
        () => begin(name, jobs),
        // The transaction failed, so no job was added. The caller of the transaction reports why.
        () => undefined,
      );
    },
    async depths() {
      const {
        rows,
      }: { rows: { name: string; waiting: number; running: number; failed: number }[] } =
        await knex.raw(
          `select name, count(*) filter (where state < 'active')::int as waiting,
                  count(*) filter (where state = 'active')::int as running,
                  count(*) filter (where state = 'failed')::int as failed
             from ??.job where name = any(?::text[]) and state in ('created', 'retry', 'active', 'failed')
            group by name`,
          [queueSchema, arrayBinding(names)],
        );
      const counted = new Map(rows.map((row) => [row.name, row]));
      return names.map((name) => {
        const { waiting = 0, running = 0, failed = 0 } = counted.get(name) ?? {};
        return { name, waitingCount: waiting, runningCount: running, failedCount: failed };
      });
    },
    async retry(name, id) {
      const affected = affectedBy(await boss.retry(name, id));
      return affected > 0 ? affected : affectedBy(await boss.resume(name, id));
    },
    async cancel(name, id) {
      const affected = affectedBy(await boss.cancel(name, id));
      if (affected > 0) workers.get(name)?.stop(id);
      return affected;
    },
    async close() {
      lookout.close();
      const ended = Promise.all([...workers.values()].map((worker) => worker.close()));
      const grace = new AbortController();
      await Promise.race([
        ended,
        sleep(graceMs, undefined, { signal: grace.signal }).catch(() => undefined),
      ]);
      grace.abort();
      await boss.stop({ graceful: false });
    },
  };
}

/** Selects the milliseconds until the first waiting job of a state starts, by reading the end of an index. */
const waitMsOf = (state: string): string => `(
  select (extract(epoch from j.start_after - now()) * 1000)::float8 from ??.job j
   where j.name = n.name and j.state = '${state}' and not j.blocked and j.state < 'active'
   order by j.start_after limit 1)`;

/** Returns the number of jobs that a command changed, which the types of pg-boss 12.38 omit. */
const affectedBy = (response: unknown): number => Number(Reflect.get(Object(response), "affected"));
