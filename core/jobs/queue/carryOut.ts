import type { JobResult, PgBoss } from "pg-boss";
import type { Log } from "../../catalog/index.ts";
import { messageOf } from "../../errors.ts";
import { isObject } from "../../json/index.ts";
import type { JobKind } from "./jobKind.ts";

interface CarryOutOptions {
  readonly log: Log;
  /** Seconds between two looks for jobs that other hosts added. */
  readonly pollS: number;
  /** Aborts when the host closes. */
  readonly closing: AbortSignal;
}

/**
 * Begins to carry out jobs of a kind; resolves to the id of the worker. Each job of a batch ends on its own: one that
 * throws is tried again later, the others are done.
 */
export async function carryOut(
  boss: PgBoss,
  kind: JobKind,
  { log, pollS, closing }: CarryOutOptions,
): Promise<string> {
  const { name, retryLimit, retryDelayS, longestDelayS, expireS } = kind;
  const options = {
    retryLimit,
    retryDelay: retryDelayS,
    retryBackoff: true,
    retryDelayMax: longestDelayS,
    expireInSeconds: expireS,
    deleteAfterSeconds: keptS,
  };
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
  return boss.work(
    name,
    {
      batchSize: kind.batchSize,
      perJobResults: true,
      pollingIntervalSeconds: pollS,
      burstWhenBatchFull: true,
    },
    (jobs) =>
      Promise.all(
        jobs.map(async ({ id, data, retryCount, signal }): Promise<JobResult> => {
          try {
            await kind.run({
              id,
              data: isObject(data) ? data : {},
              attempt: retryCount + 1,
              signal: AbortSignal.any([signal, closing]),
            });
            return { id, status: "completed" };
          } catch (failure) {
            log.warn({ err: failure, job: name, id, attempt: retryCount + 1 }, "a job failed");
            return { id, status: "failed", output: { message: messageOf(failure) } };
          }
        }),
      ),
  );
}

/** Seconds for which a job that ended is kept: a week. */
const keptS = 7 * 86_400;
