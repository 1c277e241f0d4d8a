import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { fromKnex, PgBoss } from "pg-boss";
import type { Log } from "../../catalog/index.ts";
import { databaseOf } from "./databaseOf.ts";
import type { JobKind } from "./jobKind.ts";
import { openWorker, type Worker } from "./openWorker.ts";

export interface NewJob {
  readonly data: object;
  /** Not before; at once when absent. */
  readonly startAfter?: Date;
  /** Higher first; 0 when absent. */
  readonly priority?: number;
}

/** Counts of the jobs of one name. */
export interface QueueDepth {
  readonly name: string;
  readonly waitingCount: number;
  readonly runningCount: number;
  readonly failedCount: number;
}

/** Durable jobs in the catalog, shared by all hosts on it. */
export interface Queue {
  /** Adds jobs in the transaction of the change that causes them: they exist when it commits. */
  add(name: string, jobs: readonly NewJob[], transaction: Knex.Transaction): Promise<void>;
  /** Looks for jobs now; other hosts look every few seconds. */
  wake(name: string): void;
  depths(): Promise<readonly QueueDepth[]>;
  /** Lets running jobs end, up to the grace; the others are another host's, or wait. */
  close(): Promise<void>;
}

export interface QueueOptions {
  readonly knex: Knex;
  readonly log: Log;
  readonly kinds: readonly JobKind[];
  readonly graceMs?: number;
  /** Seconds between two looks for jobs that other hosts added. */
  readonly pollS?: number;
}

const schema = "jobs";
const usualGraceMs = 10_000;
const usualPollS = 2;

/**
 * Opens the jobs of a catalog: makes their tables in the schema `jobs` at the first start, and begins to carry out the
 * given kinds. Jobs that a dead host had begun run again once they expire.
 * @throws {Error} when the tables cannot be made
 */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { knex, log, kinds, graceMs = usualGraceMs, pollS = usualPollS } = options;
  const boss = new PgBoss({
    db: databaseOf(knex),
    schema,
    schedule: false,
    registerInstance: false,
    superviseIntervalSeconds: 60,
    monitorIntervalSeconds: 60,
    reindex: false,
  });
  boss.on("error", (failure) => log.warn({ err: failure }, "the jobs wait for the catalog"));
  boss.on("warning", ({ message }) => log.warn({ problem: message }, "the jobs have a problem"));
  await boss.start();
  const workers = new Map<string, Worker>();
  for (const kind of kinds) workers.set(kind.name, await openWorker({ boss, kind, log }));
  const names = [...workers.keys()];
  const look = async () => {
    const ready: { name: string }[] = await knex
      .withSchema(schema)
      .from("job")
      .distinct("name")
      .whereIn("name", names)
      .where("state", "<", "active")
      .where("start_after", "<=", knex.fn.now());
    for (const { name } of ready) workers.get(name)?.wake();
  };
  let isLooking = false;
  const poll = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch((failure: unknown) => log.warn({ err: failure }, "the jobs wait for the catalog"))
      .finally(() => (isLooking = false));
  }, pollS * 1000);
  for (const worker of workers.values()) worker.wake();
  return {
    async add(name, jobs, transaction) {
      const inserted = jobs.map(({ data, startAfter, priority }) => ({
        data,
        ...(startAfter && { startAfter }),
        ...(priority !== undefined && { priority }),
      }));
      await boss.insert(name, inserted, { db: fromKnex(transaction) });
    },
    wake(name) {
      workers.get(name)?.wake();
    },
    async depths() {
      const queues = await boss.getQueues(kinds.map(({ name }) => name));
      return queues.map(({ name, queuedCount, activeCount, failedCount }) => ({
        name,
        waitingCount: queuedCount,
        runningCount: activeCount,
        failedCount,
      }));
    },
    async close() {
      clearInterval(poll);
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
