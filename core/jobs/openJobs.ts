import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { arrayBinding, type Log } from "../catalog/index.ts";
import { type Connections, isObject, type ResourceRow } from "../base/index.ts";
import type { ExportWork } from "../exports/index.ts";
import { createJobHandlers, type JobHandlers } from "./actions/jobHandlers.ts";
import { type AddSlots, createEvaluator, type EvaluatorOptions } from "./alerts/createEvaluator.ts";
import { fillLedger } from "./alerts/fillLedger.ts";
import type { PastOfAlert } from "./alerts/pastOfAlert.ts";
import {
  createDeliveries,
  type Deliveries,
  type DeliveriesOptions,
} from "./deliveries/createDeliveries.ts";
import { createSubscriptions, type Subscriptions } from "./deliveries/subscriptions.ts";
import { createSchedules } from "./schedules/createSchedules.ts";
import type { ScheduledWorkOptions } from "./schedules/scheduledWork.ts";
import { giveUpExport, sendDashboard } from "./schedules/sendDashboard.ts";
import { type ObservedJobs, observedMinutes, observeJobs } from "./observed.ts";
import { type AddDueJobs, openClock } from "./openClock.ts";
import { createPluginChecks } from "./plugins/createPluginChecks.ts";
import type { JobKind } from "./queue/jobKind.ts";
import { removeContents, removeOld } from "./removeOld.ts";
import type { JobsPace } from "./jobsPace.ts";
import { openQueue, type Queue } from "./queue/openQueue.ts";

/** All scheduled work of a host. */
export interface Jobs {
  /** Claims the schedules that are due now, without waiting for the next poll. */
  look(): Promise<void>;
  /**
   * Counts the waiting work and the work of the last minutes. The counts are at most a few seconds old. Resolves to
   * undefined if the catalog does not answer in time; the log then contains the reason.
   */
  observed(): Promise<ObservedJobs | undefined>;
  /** The queue's methods for the resource `job`. */
  readonly queue: Pick<Queue, "retry" | "cancel">;
  /** Adds the job that writes the file of an export, in the transaction that records the file. */
  addExport(fileId: string, transaction: Knex.Transaction): Promise<void>;
  /** The actions that scheduled work adds to alerts, channels, deliveries and plugins. */
  readonly handlers: JobHandlers;
  /** Fills the ledger like the function `fillLedger`, but stops when the jobs are closed. */
  fillLedger(past: PastOfAlert): Promise<number>;
  readonly subscriptions: Subscriptions;
  /** Mails a link to choose a password. Resolves to whether the mail server accepted the mail. Absent without mail. */
  readonly mailLink: Deliveries["mailLink"];
  /** Closes the clock first, then waits for running jobs. */
  close(): Promise<void>;
}

export interface JobsOptions
  extends
    Omit<EvaluatorOptions, "notify" | "addSlots">,
    Omit<DeliveriesOptions, "addJobs" | "now">,
    Omit<ScheduledWorkOptions, "sendDashboard" | "giveUpExport"> {
  readonly connections: Pick<Connections, "store" | "underCheck" | "askVersion">;
  /** Writes the files of exports that run as jobs. */
  readonly exportWork: ExportWork;
  readonly log: Log;
  readonly now?: () => number;
  /**
   * Days for which the ledger keeps evaluations and deliveries.
   * @default 90
   */
  readonly ledgerDays?: number;
  readonly pace?: JobsPace;
}

const evaluation = "evaluation";
const lostEvaluation = "lost_evaluation";
const delivery = "delivery";
const exportFile = "exportfile";
/** Maximum number of export files that a host writes at the same time. */
const exportCount = 2;

/** Milliseconds between two sweeps for loads whose host died and for datasets whose metadata must be updated. */
const sweepEveryMs = 60_000;

/** Maximum number of concurrent evaluations per host. */
const evaluationCount = 64;
/** Share of an alert's period by which its evaluations may be delayed, so that not all alerts are evaluated at once. */
const jitterShare = 0.1;
const mostJitterMs = 20_000;

/**
 * Opens the jobs of a host: the clock that claims due schedules, and the queue that runs their jobs. Hosts on the same
 * catalog share the work.
 */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { knex, log, now = Date.now } = options;
  const evaluations: JobKind = {
    name: evaluation,
    batchSize: evaluationCount,
    retryLimit: 5,
    retryDelayS: 5,
    longestDelayS: 300,
    expireS: 300,
    whenLost: lostEvaluation,
    async run({ data, signal }) {
      await evaluator.evaluate({ ...slotOf(data), signal });
    },
  };
  const lostEvaluations: JobKind = {
    name: lostEvaluation,
    batchSize: evaluationCount,
    // The job is retried for days, because the ledger must contain the slot.
    retryLimit: 1_000,
    retryDelayS: 5,
    longestDelayS: 300,
    expireS: 300,
    async run({ data, problem }) {
      await evaluator.giveUp({ ...slotOf(data), problem: problem ?? "no attempt finished" });
    },
  };
  const exportFiles: JobKind = {
    name: exportFile,
    batchSize: exportCount,
    // A failed export records its reason and is not retried. The job is retried only if the host died or the catalog
    // was unavailable.
    retryLimit: 5,
    retryDelayS: 5,
    longestDelayS: 300,
    expireS: 1800,
    run: ({ data, signal }) => options.exportWork.run(String(Reflect.get(data, "fileId")), signal),
  };
  const addDeliveryJobs: DeliveriesOptions["addJobs"] = (jobs, transaction) =>
    queue.add(delivery, jobs, transaction);
  const deliveries = createDeliveries({ ...options, now, addJobs: addDeliveryJobs });
  const sending = { ...options, now, addDeliveryJobs, hasMail: deliveries.hasMail };
  const addSlots: AddSlots = (slots, transaction) =>
    queue.add(
      evaluation,
      slots.map((data) => ({
        data,
        startAfter: new Date(data.slotMs),
        priority: priorityOf(data.slotMs),
      })),
      transaction,
    );
  const evaluator = createEvaluator({ ...options, notify: deliveries.notify, addSlots });
  const schedules = createSchedules({
    ...options,
    queue: () => queue,
    sendDashboard: (slot, signal) => sendDashboard(slot, signal, sending),
    giveUpExport: (lost) => giveUpExport(lost, sending),
  });
  const checks = createPluginChecks({ ...options, queue: () => queue });
  const kinds = [
    evaluations,
    lostEvaluations,
    deliveries.kind,
    exportFiles,
    checks.kind,
    ...schedules.kinds,
  ];
  const queue = await openQueue({ knex, log, kinds, ...(options.pace && { pace: options.pace }) });
  const addJobs: AddDueJobs = async (due, transaction) => {
    const slots = new Map(due.map(({ schedule, slotMs }) => [schedule.id, slotMs]));
    const alerts: ScheduledAlert[] = await transaction("alert")
      .select("id", "schedule_id", "user_id", "query", "frequency")
      .whereRaw("schedule_id = any(?::uuid[])", [arrayBinding([...slots.keys()])]);
    const jobs = alerts.flatMap((alert) => {
      const { id, schedule_id } = alert;
      const slotMs = slots.get(String(schedule_id));
      if (slotMs === undefined) return [];
      const laterMs = jitterMs(alert, options.pace?.jitterMs);
      const startMs = slotMs + laterMs;
      return [
        {
          data: { alertId: id, slotMs },
          startAfter: new Date(startMs),
          priority: priorityOf(startMs),
        },
      ];
    });
    await queue.add(evaluation, jobs, transaction);
    const evaluated = new Set(alerts.map(({ schedule_id }) => schedule_id));
    await schedules.addDue(
      due.filter(({ schedule: { id } }) => !evaluated.has(id)),
      transaction,
    );
  };
  const clock = openClock({
    knex,
    log,
    addJobs,
    now,
    ...(options.pace?.pollS && { longestWaitMs: options.pace.pollS * 1000 }),
  });
  let observed:
    | { readonly atMs: number; readonly jobs: Promise<ObservedJobs | undefined> }
    | undefined;
  const observe = (): Promise<ObservedJobs | undefined> => {
    const atMs = performance.now();
    if (!observed || atMs - observed.atMs > observedMs) {
      const counting = observeJobs(knex, () => queue.depths());
      const jobs = withinMs(observeMs, counting).catch((failure: unknown) => {
        log.warn({ err: failure }, "the jobs could not be counted");
        return undefined;
      });
      observed = { atMs, jobs };
    }
    return observed.jobs;
  };
  const closing = new AbortController();
  const { ledgerDays = 90 } = options;
  const upkeep = async () => {
    const removed = await removeOld(knex, new Date(now() - ledgerDays * dayMs), closing.signal);
    await removeContents(knex, now());
    if (removed > 0) log.info({ removed, ledgerDays }, "removed old evaluations from the ledger");
  };
  const report = async () => {
    const jobs = await observe();
    if (!jobs) return;
    if (jobs.evaluations.count === 0 && Object.keys(jobs.deliveries).length === 0) return;
    const isLate = (jobs.evaluations.p99LatenessMs ?? 0) > lateMs;
    log[isLate ? "warn" : "info"](
      { ...jobs },
      isLate ? "alerts are evaluated late" : "state of the scheduled work",
    );
  };
  /** Runs a function periodically. If it fails, it runs again at the next interval. */
  const every = (ms: number, run: () => Promise<void>, isAtOnce = false) => {
    let flight = Promise.resolve();
    const start = () => {
      flight = flight
        .then(() => (closing.signal.aborted ? undefined : run()))
        .catch((failure: unknown) =>
          log.warn({ err: failure }, "the jobs wait until the catalog responds"),
        );
    };
    if (isAtOnce) start();
    const timer = setInterval(start, ms);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await flight;
    };
  };
  const ends = [
    every(sweepEveryMs, () => schedules.sweep(), true),
    every(hourMs, upkeep),
    every(observedMinutes * minuteMs, report),
  ];
  return {
    look: () => clock.look(),
    observed: observe,
    queue,
    addExport: (fileId, transaction) => queue.add(exportFile, [{ data: { fileId } }], transaction),
    fillLedger: (past) => fillLedger(past, closing.signal, { ...options, evaluator }),
    subscriptions: createSubscriptions(options),
    mailLink: deliveries.mailLink,
    handlers: createJobHandlers({
      ...options,
      now,
      deliveries,
      addDeliveryJobs,
      testPlugin: checks.test,
    }),
    async close() {
      closing.abort();
      await Promise.all(ends.map((end) => end()));
      await clock.close();
      await queue.close();
      deliveries.close();
    },
  };
}

/** The members of an alert that determine the jitter of its evaluations. */
type JitterInput = Pick<ResourceRow<"alert">, "user_id" | "query" | "frequency">;
type ScheduledAlert = JitterInput & Pick<ResourceRow<"alert">, "id" | "schedule_id">;

/** Reads the slot from the data of a job. */
function slotOf(data: object): { readonly alertId: string; readonly slotMs: number } {
  const { alertId, slotMs }: { readonly alertId?: unknown; readonly slotMs?: unknown } = data;
  return { alertId: String(alertId), slotMs: Number(slotMs) };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/**
 * Returns the priority of an evaluation as a 32-bit integer. It decreases by one per second of the start time, so that
 * earlier evaluations run first.
 */
export const priorityOf = (startMs: number): number =>
  -Math.floor((startMs - priorityEpochMs) / 1000);
const priorityEpochMs = Date.UTC(2026, 0);

/** Milliseconds for which counts are cached. */
const observedMs = 5_000;
/** Maximum milliseconds for counting the jobs. */
const observeMs = 2_000;
/** The host logs a warning if the 99th percentile of lateness exceeds this number of milliseconds. */
const lateMs = minuteMs;

/**
 * Returns how many milliseconds after each slot an alert's evaluation may start. The delay is a hash of the alert's
 * user and query, and is at most a tenth of the alert's period. Equal queries have equal delays, so that they run only
 * once.
 */
export function jitterMs(
  { user_id, query, frequency }: JitterInput,
  mostMs = mostJitterMs,
): number {
  const isShort = isObject<"unit" | "quantity">(frequency) && frequency.unit === "minute";
  const periodMs = isShort ? Number(frequency.quantity) * minuteMs : 60 * minuteMs;
  const widthMs = Math.min(mostMs, periodMs * jitterShare);
  const hash = createHash("sha256").update(JSON.stringify([user_id, query]));
  return (hash.digest().readUInt32BE() / 2 ** 32) * widthMs;
}

/** Waits for a promise, and rejects if it takes longer than `ms`. A later failure of the promise is ignored. */
async function withinMs<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`the catalog did not answer within ${ms} ms`)),
    ms,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
