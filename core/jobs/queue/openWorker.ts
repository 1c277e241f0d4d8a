import type { JobAttempt, PgBoss } from "pg-boss";
import type { Log } from "../../catalog/index.ts";
import { isObject, JobCancelled, messageOf } from "../../base/index.ts";
import { inGroups } from "./inGroups.ts";
import type { JobKind } from "./jobKind.ts";

/** Runs the jobs of one kind on this host. */
export interface Worker {
  /** Claims and starts ready jobs, up to the maximum number of concurrent jobs. */
  wake(): void;
  /** Aborts a running job of a stoppable kind that was cancelled. */
  stop(id: string): void;
  /** Stops claiming jobs and aborts the running jobs. Resolves when all of them have stopped. */
  close(): Promise<void>;
}

interface WorkerOptions {
  readonly boss: PgBoss;
  readonly kind: JobKind;
  readonly log: Log;
  /** Seconds without a sign of life after which jobs of a host run again on another host. */
  readonly heartbeatS: number;
}

/**
 * Opens the worker of a kind. Each job starts and ends independently: a slow job delays no other, and a job that throws
 * is retried later. One statement records the jobs that end at about the same time.
 */
export async function openWorker({ boss, kind, log, heartbeatS }: WorkerOptions): Promise<Worker> {
  const { name, retryLimit, retryDelayS, longestDelayS, expireS, batchSize } = kind;
  const options = {
    retryLimit,
    retryDelay: retryDelayS,
    retryBackoff: true,
    retryDelayMax: longestDelayS,
    expireInSeconds: expireS,
    heartbeatSeconds: heartbeatS,
    deleteAfterSeconds: keptS,
    ...(kind.whenLost !== undefined && { deadLetter: kind.whenLost }),
  };
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const claimed = new Map<string, Claimed>();
  let isTaking = false;
  let isWanted = false;

  const complete = inGroups(
    async (attempts: readonly JobAttempt[]) => {
      await boss.complete(name, [...attempts]);
      return attempts;
    },
    { mostItems: mostSettled, everyMs: settledEveryMs },
  );
  const carryOut = async (job: Taken): Promise<void> => {
    const { id, data, retryCount, sourceOutput } = job;
    const problem = problemIn(sourceOutput);
    const attempt = { id, retryCount };
    const cancelling = new AbortController();
    claimed.set(id, { attempt, cancelling });
    const expiry = new AbortController();
    const timer = setTimeout(
      () => expiry.abort(new Error(`the job took longer than ${expireS} s`)),
      expireS * 1000,
    );
    try {
      await kind.run({
        id,
        data: isObject(data) ? data : {},
        attempt: retryCount + 1,
        signal: AbortSignal.any([expiry.signal, closing.signal, cancelling.signal]),
        ...(problem !== undefined && { problem }),
      });
      await complete(attempt);
    } catch (failure) {
      if (cancelling.signal.aborted) {
        log.info({ job: name, id }, "a job was cancelled");
        return;
      }
      log.warn({ err: failure, job: name, id, attempt: retryCount + 1 }, "a job failed");
      await boss.fail(name, attempt, { message: messageOf(failure) });
    } finally {
      clearTimeout(timer);
      claimed.delete(id);
    }
  };
  const stop = (id: string) => {
    if (kind.isStoppable) claimed.get(id)?.cancelling.abort(new JobCancelled());
  };
  const touch = async () => {
    const attempts = [...claimed.values()].map(({ attempt }) => attempt);
    await boss.touch(name, attempts);
    if (!kind.isStoppable) return;
    for (const { id } of attempts) {
      const [job] = await boss.findJobs(name, { id });
      if (job?.state === "cancelled") stop(id);
    }
  };
  const beat = setInterval(() => {
    if (claimed.size === 0) return;
    touch().catch((failure: unknown) =>
      log.warn({ err: failure, job: name }, "the jobs wait until the catalog responds"),
    );
  }, heartbeatS * 300);
  const start = (job: Taken) => {
    const run = carryOut(job)
      .catch((failure: unknown) =>
        log.warn(
          { err: failure, job: name, id: job.id },
          "the end of a job could not be recorded; the job runs again after it expires",
        ),
      )
      .finally(() => {
        running.delete(run);
        // Fetches in batches, because fetching after each job would run a statement per job.
        if (isWanted && running.size <= batchSize / 2) void take();
      });
    running.add(run);
  };
  const take = async (): Promise<void> => {
    if (isTaking || closing.signal.aborted) return;
    isTaking = true;
    try {
      while (isWanted && running.size <= batchSize / 2 && !closing.signal.aborted) {
        const freeCount = batchSize - running.size;
        isWanted = false;
        const jobs: readonly Taken[] = await boss.fetch(name, {
          batchSize: freeCount,
          includeMetadata: true,
        });
        isWanted ||= jobs.length === freeCount;
        for (const job of jobs) start(job);
      }
    } catch (failure) {
      log.warn({ err: failure, job: name }, "the jobs wait until the catalog responds");
    } finally {
      isTaking = false;
    }
  };
  return {
    stop,
    wake() {
      isWanted = true;
      void take();
    },
    async close() {
      closing.abort(new Error("the host is closing"));
      while (running.size > 0) await Promise.all(running);
      clearInterval(beat);
    },
  };
}

/** A job that this host is running. */
interface Claimed {
  readonly attempt: JobAttempt;
  readonly cancelling: AbortController;
}

interface Taken {
  readonly id: string;
  readonly data: unknown;
  readonly retryCount: number;
  /** The output of the lost job that this job replaces. */
  readonly sourceOutput?: unknown;
}

/** Returns the error message in a job's output. The queue's own messages are in `value`. */
function problemIn(output: unknown): string | undefined {
  if (!isObject<"value">(output)) return undefined;
  const { message } = isObject(output.value) ? output.value : output;
  return typeof message === "string" ? message : undefined;
}

/** Seconds for which a finished job is kept: a week. */
const keptS = 7 * 86_400;
/** Maximum number of jobs whose end one statement records. */
const mostSettled = 500;
const settledEveryMs = 50;
