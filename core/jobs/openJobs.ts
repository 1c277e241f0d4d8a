import type { Knex } from "knex";
import type { Log } from "../catalog/index.ts";
import { isUuid } from "../contracts/index.ts";
import type { Egress } from "../connections/index.ts";
import { isObject } from "../json/index.ts";
import { type EvaluateOptions, evaluateAlert, type Notify } from "./alerts/evaluateAlert.ts";
import { columnIdsOf, messageOf } from "./deliveries/messageOf.ts";
import { addDeliveries } from "./deliveries/addDeliveries.ts";
import { deliver, type DeliverOptions } from "./deliveries/deliver.ts";
import { createEmail } from "./deliveries/email.ts";
import { createSlack } from "./deliveries/slack.ts";
import { createWebhook } from "./deliveries/webhook.ts";
import { type AddDueJobs, openClock } from "./openClock.ts";
import type { JobKind } from "./queue/jobKind.ts";
import { openQueue, type QueueDepth } from "./queue/openQueue.ts";

/** Everything that runs by the clock. */
export interface Jobs {
  /** Takes what is due, now. */
  look(): Promise<void>;
  depths(): Promise<readonly QueueDepth[]>;
  /** Ends the clock first, then lets running jobs end. */
  close(): Promise<void>;
}

export interface JobsOptions extends Omit<EvaluateOptions, "notify"> {
  readonly knex: Knex;
  readonly egress: Egress;
  /** The mail server; without one, channels of type email are refused. */
  readonly mail?: { readonly smtpUrl: string; readonly from: string };
  /** The address of the host as people reach it. */
  readonly publicUrl: string;
  readonly log: Log;
  readonly now?: () => number;
}

const evaluation = "evaluation";
const delivery = "delivery";

/** Deliveries at the same time on a host. */
const deliveryCount = 16;
/** Deadline of an attempt at a mail server. */
const mailMs = 30_000;

/** Evaluations at the same time on a host. */
const evaluationCount = 8;
/** The part of its period by which an evaluation may be later than due, so that not all begin at once. */
const jitterShare = 0.1;
const mostJitterMs = 20_000;

/**
 * Opens the jobs of a host: the clock that takes due schedules, and the queue that carries their jobs out. Hosts on one
 * catalog share the work.
 */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { knex, log, records, now } = options;
  const evaluations: JobKind = {
    name: evaluation,
    batchSize: evaluationCount,
    retryLimit: 5,
    retryDelayS: 5,
    longestDelayS: 300,
    expireS: 300,
    async run({ data, signal }) {
      const { alertId, slotMs } = data as { readonly alertId: string; readonly slotMs: number };
      await evaluateAlert({ alertId, slotMs, signal }, { ...options, notify });
      queue.wake(delivery);
    },
  };
  const email = options.mail && createEmail({ ...options.mail, timeoutMs: mailMs });
  const drivers: DeliverOptions["drivers"] = {
    webhook: createWebhook(options.egress),
    slack: createSlack(options.egress),
    ...(email && { email }),
  };
  const deliveries: JobKind = {
    name: delivery,
    batchSize: deliveryCount,
    // It plans its next attempt itself; a retry is for a catalog that was away.
    retryLimit: 10,
    retryDelayS: 5,
    longestDelayS: 300,
    expireS: 120,
    async run({ data, signal }) {
      const { deliveryId } = data as { readonly deliveryId: string };
      const waitS = await deliver(deliveryId, signal, { records, drivers });
      if (waitS === undefined) return;
      const startAfter = new Date(Date.now() + waitS * 1000);
      await knex.transaction((transaction) =>
        queue.add(delivery, [{ data: { deliveryId }, startAfter }], transaction),
      );
    },
  };
  const notify: Notify = async ({ alert, alertEventId, evaluation: evaluated }, transaction) => {
    const columns = await records.find(
      "column",
      { id: columnIdsOf(alert.query).filter(isUuid) },
      transaction,
    );
    const [schedule] = await records.find("schedule", { id: alert.schedule_id }, transaction);
    const message = messageOf(alert, evaluated, {
      zone: schedule?.timezone ?? "UTC",
      publicUrl: options.publicUrl,
      columnNames: new Map(columns.map(({ id, name }) => [id, nameIn(name)])),
    });
    const jobs = await addDeliveries(
      records,
      { alertId: alert.id, alertEventId, message },
      transaction,
    );
    await queue.add(delivery, jobs, transaction);
  };
  const queue = await openQueue({ knex, log, kinds: [evaluations, deliveries] });
  const addJobs: AddDueJobs = async (due, transaction) => {
    const slots = new Map(due.map(({ schedule, slotMs }) => [schedule.id, slotMs]));
    const alerts = await records.find("alert", { schedule_id: [...slots.keys()] }, transaction);
    const jobs = alerts.flatMap(({ id, schedule_id, frequency }) => {
      const slotMs = slots.get(String(schedule_id));
      if (slotMs === undefined) return [];
      const laterMs = jitterMs(id, frequency);
      return [{ data: { alertId: id, slotMs }, startAfter: new Date(slotMs + laterMs) }];
    });
    await queue.add(evaluation, jobs, transaction);
  };
  const onAdded = () => queue.wake(evaluation);
  const clock = openClock({ knex, log, addJobs, onAdded, ...(now && { now }) });
  return {
    look: () => clock.look(),
    depths: () => queue.depths(),
    async close() {
      await clock.close();
      await queue.close();
      email?.close();
    },
  };
}

const nameIn = (name: unknown): string =>
  isObject(name) ? String(name["en"] ?? Object.values(name)[0] ?? "") : String(name ?? "");

const minuteMs = 60_000;

/** The same for every slot of an alert: a hash of its id within a tenth of its period. */
function jitterMs(id: string, frequency: unknown): number {
  const isShort = isObject(frequency) && frequency["unit"] === "minute";
  const periodMs = isShort ? Number(frequency["quantity"]) * minuteMs : 60 * minuteMs;
  const widthMs = Math.min(mostJitterMs, periodMs * jitterShare);
  return (Number.parseInt(id.slice(0, 8), 16) / 2 ** 32) * widthMs;
}
