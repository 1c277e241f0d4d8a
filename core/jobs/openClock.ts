import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { Log } from "../catalog/index.ts";
import type { ResourceRow } from "../base/index.ts";
import { dueAfter } from "../resources/index.ts";

/** Adds the jobs of due schedules, in the transaction that plans their next slots. */
export type AddDueJobs = (
  due: readonly DueSchedule[],
  transaction: Knex.Transaction,
) => Promise<void>;

export interface DueSchedule {
  readonly schedule: ResourceRow<"schedule">;
  /** The due slot, in milliseconds since 1970. */
  readonly slotMs: number;
}

/** Claims due schedules until it is closed. */
export interface Clock {
  /** Claims the schedules that are due now, without waiting for the next poll. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface ClockOptions {
  readonly knex: Knex;
  readonly log: Pick<Log, "warn">;
  readonly addJobs: AddDueJobs;
  /** Returns the current time in milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /** Maximum milliseconds between two polls. Other hosts and callers may add schedules in between. */
  readonly longestWaitMs?: number;
}

/**
 * Maximum number of schedules per transaction. With this number, a transaction takes a few milliseconds of the main
 * thread, so callers wait no longer than that.
 */
const takenCount = 100;
/** Default of `longestWaitMs`. */
const usualLongestWaitMs = 5_000;

/**
 * Opens the clock of a catalog. Each due schedule is claimed once, by one host. A single transaction adds the job of
 * the due slot and plans the next slot. If several slots were missed, the oldest is claimed, and the next slot is in
 * the future.
 */
export function openClock(options: ClockOptions): Clock {
  const { knex, log, addJobs, now = Date.now, longestWaitMs = usualLongestWaitMs } = options;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let flight: Promise<void> = Promise.resolve();

  const takeSome = (): Promise<number> =>
    knex.transaction(async (transaction) => {
      const at = now();
      const rows: ResourceRow<"schedule">[] = await transaction("schedule")
        .where("active", true)
        .where("scheduled_at", "<=", new Date(at))
        .orderBy("scheduled_at")
        .limit(takenCount)
        .forUpdate()
        .skipLocked();
      if (rows.length === 0) return 0;
      const due = rows.map((schedule) => ({ schedule, slotMs: Number(schedule.scheduled_at) }));
      await addJobs(due, transaction);
      const next = rows.map((schedule) => dueAfter(schedule, at)?.toISOString() ?? "");
      await transaction.raw(
        `update schedule s set scheduled_at = nullif(n.at, '')::timestamptz, updated_at = now()
           from unnest(?::uuid[], ?::text[]) as n (id, at) where s.id = n.id`,
        [rows.map(({ id }) => id), next],
      );
      return rows.length;
    });
  const takeAll = async () => {
    try {
      for (let count = takenCount; count === takenCount && !isClosed;) {
        const startedAt = performance.now();
        count = await takeSome();
        // Pauses for as long as the transaction took, so that other work can use the main thread and the catalog.
        if (count === takenCount) await sleep(performance.now() - startedAt);
      }
    } catch (failure) {
      log.warn({ err: failure }, "the clock polls again when the catalog responds");
    }
  };
  const nextLookMs = async (): Promise<number> => {
    const least = knex("schedule").where("active", true).min("scheduled_at as at").first();
    const found: { readonly at?: unknown } | undefined = await least.catch((failure: unknown) => {
      log.warn({ err: failure }, "the clock polls again when the catalog responds");
      return undefined;
    });
    const waitMs = found?.at ? Number(found.at) - now() : longestWaitMs;
    return Math.min(longestWaitMs, Math.max(0, waitMs));
  };
  const look = () => (flight = flight.then(takeAll));
  // A plain statement first checks whether a schedule is due, because a transaction per poll would keep idle hosts
  // busy.
  const wait = async () => {
    let waitMs = await nextLookMs();
    if (waitMs === 0 && !isClosed) {
      await look();
      waitMs = await nextLookMs();
    }
    if (isClosed) return;
    timer = setTimeout(() => void wait(), waitMs);
    timer.unref();
  };
  const begun = wait();
  return {
    look,
    async close() {
      isClosed = true;
      await begun;
      clearTimeout(timer);
      await flight;
    },
  };
}
