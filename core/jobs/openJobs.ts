import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { arrayBinding, type Log } from "../catalog/index.ts";
import { type Connections, isObject, type ResourceRow } from "../base/index.ts";
import type { ExportWork } from "../exports/index.ts";
import { createJobHandlers, type JobHandlers } from "./actions/jobHandlers.ts";
import { createEvaluator, type EvaluatorOptions } from "./alerts/createEvaluator.ts";
import { fillLedger, type PastOfAlert } from "./alerts/fillLedger.ts";
import { createDeliveries, type DeliveriesOptions } from "./deliveries/createDeliveries.ts";
import type { DigestPace } from "./deliveries/createNotify.ts";
import { createSubscriptions, type Subscriptions } from "./deliveries/subscriptions.ts";
import { createSchedules } from "./schedules/createSchedules.ts";
import type { ScheduledWorkOptions } from "./schedules/scheduledWork.ts";
import { giveUpExport, sendDashboard } from "./schedules/sendDashboard.ts";
import { type ObservedJobs, observedMinutes, observeJobs } from "./observed.ts";
import { type AddDueJobs, openClock } from "./openClock.ts";
import { createPluginChecks } from "./plugins/createPluginChecks.ts";
import type { JobKind } from "./queue/jobKind.ts";
import { removeContents, removeOld } from "./removeOld.ts";
import { openQueue, type Pace, type Queue } from "./queue/openQueue.ts";

/** Everything that runs by the clock. */
export interface Jobs {
  /** Takes what is due, now. */
  look(): Promise<void>;
  /**
   * Counts what waits and what happened in the last minutes; at most once in some seconds. Undefined when the catalog
   * does not answer in time; the log says why.
   */
  observed(): Promise<ObservedJobs | undefined>;
  /** Like `Queue`: for the handlers of jobs. */
  readonly queue: Pick<Queue, "retry" | "cancel">;
  /** Adds the job that writes the file of an export, in the transaction that records the file. */
  addExport(fileId: string, transaction: Knex.Transaction): Promise<void>;
  /** Actions on alerts, channels and deliveries that the kernel does not have. */
  readonly handlers: JobHandlers;
  /** As `fillLedger`; ends with the jobs. */
  fillLedger(past: PastOfAlert): Promise<number>;
  readonly subscriptions: Subscriptions;
  /** Ends the clock first, then lets running jobs end. */
  close(): Promise<void>;
}

export interface JobsOptions
  extends
    Omit<EvaluatorOptions, "notify">,
    Omit<DeliveriesOptions, "addJobs" | "now">,
    Omit<ScheduledWorkOptions, "sendDashboard" | "giveUpExport"> {
  readonly connections: Pick<Connections, "store" | "underCheck">;
  /** Writes the files of exports that became jobs. */
  readonly exportWork: ExportWork;
  readonly log: Log;
  readonly now?: () => number;
  /** Days for which the ledger keeps evaluations and deliveries; 90 when absent. */
  readonly ledgerDays?: number;
  readonly pace?: Partial<Pace> &
    DigestPace & {
      /** The longest part of a period by which an evaluation may be later than due; 20 s when absent. */
      readonly jitterMs?: number;
    };
}

const evaluation = "evaluation";
const lostEvaluation = "lost_evaluation";
const delivery = "delivery";
const exportFile = "exportfile";
/** Files of exports that a host writes at the same time. */
const exportCount = 2;

/** Time between two looks for work that is due by intervals of hours. */
const sweepEveryMs = 60_000;

/** Evaluations at the same time on a host. */
const evaluationCount = 64;
/** The part of its period by which an evaluation may be later than due, so that not all begin at once. */
const jitterShare = 0.1;
const mostJitterMs = 20_000;

/**
 * Opens the jobs of a host: the clock that takes due schedules, and the queue that carries their jobs out. Hosts on one
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
    // Days: the ledger must have the slot.
    retryLimit: 1_000,
    retryDelayS: 5,
    longestDelayS: 300,
    expireS: 300,
    async run({ data, problem }) {
      await evaluator.giveUp({ ...slotOf(data), problem: problem ?? "no run ended" });
    },
  };
  const exportFiles: JobKind = {
    name: exportFile,
    batchSize: exportCount,
    // A failed export says why and is not written again; a retry is for a host that died and a catalog that was away.
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
  const evaluator = createEvaluator({ ...options, notify: deliveries.notify });
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
    if (removed > 0) log.info({ removed, ledgerDays }, "old evaluations left the ledger");
  };
  const report = async () => {
    const jobs = await observe();
    if (!jobs) return;
    if (jobs.evaluations.count === 0 && Object.keys(jobs.deliveries).length === 0) return;
    const isLate = (jobs.evaluations.p99LatenessMs ?? 0) > lateMs;
    log[isLate ? "warn" : "info"](
      { ...jobs },
      isLate ? "alerts are evaluated late" : "the work by the clock",
    );
  };
  /** Does something now and then; one that fails is tried at the next time. */
  const every = (ms: number, run: () => Promise<void>, isAtOnce = false) => {
    let flight = Promise.resolve();
    const start = () => {
      flight = flight
        .then(() => (closing.signal.aborted ? undefined : run()))
        .catch((failure: unknown) => log.warn({ err: failure }, "the jobs wait for the catalog"));
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

/** The members of an alert that say when its evaluation begins. */
type JitterInput = Pick<ResourceRow<"alert">, "user_id" | "query" | "frequency">;
type ScheduledAlert = JitterInput & Pick<ResourceRow<"alert">, "id" | "schedule_id">;

/** The slot in the data of a job. */
function slotOf(data: object): { readonly alertId: string; readonly slotMs: number } {
  const { alertId, slotMs }: { readonly alertId?: unknown; readonly slotMs?: unknown } = data;
  return { alertId: String(alertId), slotMs: Number(slotMs) };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The priority of an evaluation, an integer of 32 bits: one less for each second, so that earlier ones are first. */
export const priorityOf = (startMs: number): number =>
  -Math.floor((startMs - priorityEpochMs) / 1000);
const priorityEpochMs = Date.UTC(2026, 0);

/** Milliseconds for which counts are taken as they are. */
const observedMs = 5_000;
/** The longest that a count of the jobs takes. */
const observeMs = 2_000;
/** Lateness of one evaluation in a hundred that the log warns of. */
const lateMs = minuteMs;

/**
 * Milliseconds after each slot at which an alert's evaluation may begin: a hash of its user and query within a tenth of
 * its period. Equal questions begin together, so that they are asked once.
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

/** Rejects when a promise takes longer; its own failure afterwards is nobody's. */
async function withinMs<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`the catalog did not answer in ${ms} ms`)), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
