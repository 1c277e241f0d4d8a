import type { Knex } from "knex";
import { isObject, type Records } from "../../base/index.ts";
import { accelerationTask } from "../../resources/index.ts";
import type { DueSchedule } from "../openClock.ts";
import type { JobKind } from "../queue/jobKind.ts";
import type { Queue } from "../queue/openQueue.ts";
import { doScheduledWork, type ScheduledTask, type ScheduledWorkOptions } from "./scheduledWork.ts";

/** Runs the work of all schedules, except evaluating alerts. */
export interface Schedules {
  readonly kinds: readonly JobKind[];
  /** Adds the jobs of due schedules, in the transaction that plans their next slots. */
  addDue(due: readonly DueSchedule[], transaction: Knex.Transaction): Promise<void>;
  /**
   * Finds loads whose host died, and datasets whose metadata must be updated again, after the interval that the dataset
   * or its connection sets.
   */
  sweep(): Promise<void>;
}

export interface SchedulesOptions extends ScheduledWorkOptions {
  readonly records: Records;
  readonly knex: Knex;
  /** Returns the queue that runs the jobs. Called whenever jobs are added. */
  readonly queue: () => Pick<Queue, "add">;
}

/** Maximum number of concurrent loads per host. Each load keeps a few batches of rows in memory. */
const loadCount = 2;
const synchronizationCount = 2;
/** Maximum number of retries if a source is unavailable. The wait doubles each time. */
const mostRetries = 5;
const retryS = 15;
/** Seconds to wait before retrying work that another job is already doing. */
const busyS = 20;
/** Maximum number of datasets per sweep. */
const takenCount = 200;
/**
 * Seconds after which the job of a load expires. Loads of large sources take hours. If a host dies, the sweep finds its
 * loads before they expire.
 */
const loadExpireS = 20 * 3600;

const lostExport = "lost_export";

const scheduleTasks: readonly ScheduledTask[] = ["acceleration", "synchronization", "export"];

/** Creates the kinds of jobs that run for schedules, and the functions that add these jobs. Needs no closing. */
export function createSchedules(options: SchedulesOptions): Schedules {
  const { records, knex, queue } = options;
  const again = (task: ScheduledTask, data: object, waitS: number) =>
    knex.transaction((transaction) =>
      queue().add(task, [{ data, startAfter: new Date(Date.now() + waitS * 1000) }], transaction),
    );
  const run = async (task: ScheduledTask, given: object, signal: AbortSignal): Promise<void> => {
    const data = jobOf(given);
    const { securableId, scheduleId, attempt } = data;
    // The schedule was deleted or deactivated in the meantime.
    if (scheduleId !== undefined && !(await isActive(scheduleId, records))) return;
    const { slotMs } = data;
    const isLast = attempt >= mostRetries;
    const slot = scheduleId === undefined ? undefined : { scheduleId, slotMs, isLast };
    const outcome = await doScheduledWork(task, { securableId, slot }, signal, options);
    if (outcome.kind === "busy") {
      // Reschedules the schedule instead of this job, so that one job replaces all jobs that found the work busy.
      await knex("schedule")
        .where({ id: scheduleId ?? null, active: true })
        .update({
          scheduled_at: knex.raw(
            "least(coalesce(scheduled_at, 'infinity'), now() + ? * interval '1 second')",
            [busyS],
          ),
        });
      return;
    }
    const isRetried = outcome.kind === "retry" && !isLast;
    if (scheduleId !== undefined)
      await knex("schedule")
        .where({ id: scheduleId })
        .update({
          completed_at: knex.raw(outcome.kind === "done" ? "now()" : "completed_at"),
          retries: outcome.kind === "done" ? 0 : attempt,
          failure: outcome.kind === "done" ? null : outcome.reason,
          updated_at: knex.raw("now()"),
        });
    if (isRetried) await again(task, { ...data, attempt: attempt + 1 }, retryS * 2 ** attempt);
  };
  const lostExports: JobKind = {
    name: lostExport,
    batchSize: 1,
    // The job is retried for days, because the ledger must contain the slot.
    retryLimit: 1_000,
    retryDelayS: 5,
    longestDelayS: 300,
    expireS: 300,
    async run({ data, problem = "no attempt finished" }) {
      const { scheduleId, slotMs } = jobOf(data);
      if (scheduleId !== undefined) await options.giveUpExport({ scheduleId, slotMs, problem });
    },
  };
  const kindOf = (name: ScheduledTask, batchSize: number, expireS: number): JobKind => ({
    name,
    batchSize,
    // The job itself calls an unavailable source again. The queue retries only for an unavailable catalog.
    retryLimit: 5,
    retryDelayS: 5,
    longestDelayS: 300,
    expireS,
    run: ({ data, signal }) => run(name, data, signal),
  });
  return {
    kinds: [
      { ...kindOf("acceleration", loadCount, loadExpireS), isStoppable: true },
      kindOf("synchronization", synchronizationCount, 600),
      { ...kindOf("export", 1, 600), whenLost: lostExport },
      lostExports,
    ],
    async addDue(due, transaction) {
      if (due.length === 0) return;
      const ids = due.flatMap(({ schedule }) => schedule.securable_id ?? []);
      const securables = await records.find("securable", { id: ids }, transaction);
      const typeOf = new Map(securables.map(({ id, type }) => [id, type]));
      for (const task of scheduleTasks) {
        const jobs = due.flatMap(({ schedule, slotMs }) => {
          const { id: scheduleId, securable_id: securableId } = schedule;
          const type = securableId === null ? undefined : typeOf.get(securableId);
          if (securableId === null || taskOf(schedule.task, type) !== task) return [];
          const data = { scheduleId, securableId, slotMs, attempt: 0 };
          return [{ data, startAfter: new Date(slotMs) }];
        });
        await queue().add(task, jobs, transaction);
      }
    },
    async sweep() {
      await knex.transaction(async (transaction) => {
        const { rows }: { rows: readonly { readonly id: string }[] } = await transaction.raw(
          dueMetadata,
          [takenCount],
        );
        const jobs = rows.map(({ id }) => ({ data: { securableId: id, attempt: 0 } }));
        await queue().add("synchronization", jobs, transaction);
      });
      await knex.raw(deadLoads, [accelerationTask]);
    },
  };
}

/** Returns the work that a schedule does, given its task and the type of its record; undefined if there is none. */
function taskOf(task: string | null, type: string | null | undefined): ScheduledTask | undefined {
  if (task === accelerationTask) return "acceleration";
  if (task === "export" || type === "dashboard") return "export";
  return task === null && type === "dataset" ? "synchronization" : undefined;
}

async function isActive(id: string, records: Records): Promise<boolean> {
  const [schedule] = await records.find("schedule", { id });
  return schedule !== undefined && schedule.active;
}

interface ScheduledJob {
  readonly securableId: string;
  readonly scheduleId: string | undefined;
  /** The slot in milliseconds since 1970; NaN for work that recurs after an interval instead of at slots. */
  readonly slotMs: number;
  /** Number of earlier attempts. */
  readonly attempt: number;
}

function jobOf(data: object): ScheduledJob {
  const { securableId, scheduleId, slotMs, attempt } = isObject(data) ? data : {};
  return {
    securableId: String(securableId),
    scheduleId: typeof scheduleId === "string" ? scheduleId : undefined,
    slotMs: Number(slotMs),
    attempt: Number(attempt ?? 0),
  };
}

/**
 * Selects and marks datasets that were last compared with their source too long ago. Intervals are in hours. Compares
 * hours, because a long interval before now would be out of range and fail the statement for all datasets.
 */
const dueMetadata = `
  update securable set last_metadata_sync_attempt_at = now() where id in (
    select s.id from securable s join account a on a.id = s.account_id
     where s.type = 'dataset' and s.storage = 'client' and s.meta_sync_enabled and a.active
       and (not s.meta_sync_inherit or a.datasets_meta_sync_enabled)
       and extract(epoch from now() - coalesce(s.last_metadata_sync_attempt_at, s.created_at)) / 3600
           >= case when s.meta_sync_inherit then a.datasets_meta_sync_interval else s.meta_sync_interval end
     order by s.last_metadata_sync_attempt_at nulls first
     limit ? for update of s skip locked)
  returning id`;

/** Makes a load due again if its host died, which is the case once the lease of its outbox task has expired. */
const deadLoads = `
  update schedule set scheduled_at = now() where task = ? and active and securable_id in (
    select c.securable_id from datasetcopy c
     where c.building_id is not null and c.started_at < now() - interval '90 seconds'
       and not exists (select 1 from outbox o
                        where o.securable_id = c.building_id and o.due_at > clock_timestamp()))
    and (scheduled_at is null or scheduled_at > now())`;
