import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { lacks, type Principals } from "../../identity/index.ts";
import {
  ApiError,
  isObject,
  type Principal,
  type Records,
  type ResourceRow,
} from "../../base/index.ts";
import type {
  DrawnDashboard,
  DrawnFile,
  ExportWork,
  ScheduledFormat,
} from "../../exports/index.ts";
import { addDeliveries, recipientsLeft } from "../deliveries/addDeliveries.ts";
import { channelsOf } from "../deliveries/channelsOf.ts";
import { localeOf } from "../deliveries/createMessage.ts";
import { exportContent } from "../deliveries/exportFile.ts";
import type { Message, MessageLink } from "../deliveries/message.ts";
import { readersOf } from "../deliveries/readersOf.ts";
import { recipientsOf } from "../deliveries/recipientsOf.ts";
import type { NewJob } from "../queue/openQueue.ts";
import type { ExportSlot, LostExport, WorkOutcome } from "./scheduledWork.ts";

export interface SendDashboardOptions {
  readonly records: Records;
  readonly principals: Pick<Principals, "ofUsers">;
  readonly exportWork: Pick<ExportWork, "draw" | "keep">;
  /** Adds the jobs that send deliveries, in a transaction. */
  readonly addDeliveryJobs: (
    jobs: readonly NewJob[],
    transaction: Knex.Transaction,
  ) => Promise<void>;
  /** Counts a job against the quota of an organization. @throws {ApiError} if the quota is used up */
  readonly spendJob?: (organizationId: string) => Promise<void>;
  /** Whether the host sends mail. A schedule without channels then mails its user. */
  readonly hasMail: boolean;
  readonly now: () => number;
  /** Returns the URL at which people reach the host. */
  readonly publicUrl: () => string;
  /**
   * Maximum size in bytes of all files attached to a mail. Larger files are sent as links.
   * @default 5 MiB
   */
  readonly attachedBytes?: number;
}

type Schedule = ResourceRow<"schedule">;

/** Default of `attachedBytes`. Mail servers accept 10 MB and more, and base64 adds a third. */
const usualAttachedBytes = 5 * 2 ** 20;
/** HTTP statuses of a source that may answer later. */
const laterStatuses = [429, 502, 503, 504];
/** Maximum number of failed items that a message names. */
const namedFailures = 3;

/**
 * Sends the dashboard of a schedule for one slot. The dashboard is drawn with the current rights of the schedule's
 * user. It is sent once to each address of the schedule's channels, or to the user if there are no channels. The ledger
 * entry, the deliveries and their jobs are written in one transaction, and the ledger contains each slot once. If a
 * source is unavailable, the attempt is repeated. The last attempt sends the file without the items that could not be
 * drawn, and the message names these items. A dashboard with fewer rows than the schedule demands is not sent.
 * @throws the signal's reason
 */
export async function sendDashboard(
  { scheduleId, slotMs, isLast }: ExportSlot,
  signal: AbortSignal,
  options: SendDashboardOptions,
): Promise<WorkOutcome> {
  const { records, principals, exportWork, now } = options;
  const id = eventIdOf(scheduleId, slotMs);
  const [recorded] = await records.find("exportevent", { id });
  const [schedule] = await records.find("schedule", { id: scheduleId });
  if (recorded || !schedule || schedule.securable_id === null) return { kind: "done" };
  const entry: Entry = { id, schedule, slotMs, startedMs: now() };
  const principal = await confirmedUser(schedule, principals);
  if (!principal) return skip(entry, whyStopped(schedule), options);
  if (lacks(principal, "flag_export")) return skip(entry, withoutExports, options);
  const locale = await localeOf(schedule.user_id, records);
  try {
    await options.spendJob?.(principal.organizationId);
    const wanted = {
      ...formOf(schedule),
      securableId: schedule.securable_id,
      localeId: locale,
      timezoneId: schedule.timezone ?? "UTC",
    };
    const drawn = await exportWork.draw(wanted, principal, signal);
    const later = drawn.failures.find(isLater);
    if (later && !isLast) return { kind: "retry", reason: later.message };
    const { leastRows } = wanted;
    if (drawn.failures.length === 0 && drawn.rowCount < leastRows) {
      const reason = `nothing was sent, because the dashboard has ${drawn.rowCount} rows, fewer than least_rows (${leastRows})`;
      await record(entry, { outcome: "empty", reason }, records);
      return { kind: "done" };
    }
    if (drawn.files.length === 0) {
      const reason = problemOf(drawn.failures) ?? "no item of the dashboard has rows to send";
      await record(entry, { outcome: "failed", reason }, records);
      return { kind: "failed", reason };
    }
    return await send({ ...entry, principal, drawn, locale }, options);
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof ApiError) && !(failure instanceof PluginError)) throw failure;
    if (isLater(failure) && !isLast) return { kind: "retry", reason: failure.message };
    await record(entry, { outcome: "failed", reason: failure.message }, records);
    return { kind: "failed", reason: failure.message };
  }
}

/** Maximum number of characters that the ledger stores of an error message. */
const longestProblem = 300;

/**
 * Records a slot as failed if no attempt could send it, in the ledger and in its schedule. A slot that is already in
 * the ledger stays unchanged.
 * @throws the failures of the catalog
 */
export async function giveUpExport(
  { scheduleId, slotMs, problem }: LostExport,
  { records, now }: Pick<SendDashboardOptions, "records" | "now">,
): Promise<void> {
  const id = eventIdOf(scheduleId, slotMs);
  const [recorded] = await records.find("exportevent", { id });
  const [schedule] = await records.find("schedule", { id: scheduleId });
  if (recorded || !schedule) return;
  const reason = `every attempt to send the dashboard failed, and there will be no further attempt: ${problem.slice(0, longestProblem)}`;
  const entry: Entry = { id, schedule, slotMs, startedMs: now() };
  await record(entry, { outcome: "failed", reason }, records, (transaction) =>
    records.change("schedule", scheduleId, { failure: reason }, transaction),
  );
}

interface Entry {
  readonly id: string;
  readonly schedule: Schedule;
  readonly slotMs: number;
  readonly startedMs: number;
}

interface Drawn extends Entry {
  readonly principal: Principal;
  readonly drawn: DrawnDashboard;
  readonly locale: string;
}

/** Returns the id of a slot, which is the same for every run of its job on every host. */
export function eventIdOf(scheduleId: string, slotMs: number): string {
  const hash = createHash("sha256").update(`${scheduleId} ${slotMs}`).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

const isLater = (failure: ApiError | PluginError): boolean =>
  laterStatuses.includes(failure.status);

const formats: readonly ScheduledFormat[] = ["pdf", "png", "csv", "xlsx"];

function formOf({ export: form }: Schedule) {
  const {
    type = "pdf",
    data,
    width,
    data_items: itemIds,
    least_rows: leastRows,
    ...others
  } = isObject<"type" | "data" | "width" | "data_items" | "least_rows">(form) ? form : {};
  const types = formats.filter((each) => each === type || each === data);
  return {
    ...others,
    types,
    ...(Array.isArray(itemIds) && { itemIds: itemIds.map(String) }),
    ...(type === "png" ? { width: width ?? 1_200 } : width !== undefined && { width }),
    leastRows: Number(leastRows ?? 0),
  };
}

/** Finds the user of a schedule, if this user has created the schedule or taken it over. */
async function confirmedUser(
  { user_id: id, confirmed_by }: Schedule,
  principals: SendDashboardOptions["principals"],
): Promise<Principal | undefined> {
  return confirmed_by === id ? (await principals.ofUsers([id])).get(id) : undefined;
}

const withoutExports =
  "!flag_export removes the exports feature from the schedule's user; delete the flag from feature_overrides, then activate the schedule again";

/** Explains why there is no user with whose rights the dashboard can be drawn. */
const whyStopped = ({ confirmed_by, user_id }: Schedule): string =>
  confirmed_by === user_id
    ? "the schedule's user no longer exists"
    : "the schedule's user did not create the schedule; let this user take over the schedule (role User), then activate the schedule again";

/** Stops a schedule whose dashboard may not be sent. */
async function skip(
  entry: Entry,
  reason: string,
  { records }: SendDashboardOptions,
): Promise<WorkOutcome> {
  const { schedule } = entry;
  const stopped = { active: false, scheduled_at: null };
  await record(entry, { outcome: "skipped", reason }, records, (transaction) =>
    records.change("schedule", schedule.id, stopped, transaction),
  );
  return { kind: "failed", reason };
}

async function send(
  { principal, drawn, locale, ...entry }: Drawn,
  options: SendDashboardOptions,
): Promise<WorkOutcome> {
  const { records, exportWork, addDeliveryJobs, hasMail } = options;
  const { id, schedule } = entry;
  const { files, title } = drawn;
  const problem = problemOf(drawn.failures);
  const sizeBytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const isAttached = sizeBytes <= (options.attachedBytes ?? usualAttachedBytes);
  const own = recipientsOf("email", { recipients: [principal.email] }) ?? [];
  const found = await records.transaction((transaction) =>
    channelsOf([schedule], records, transaction, "schedule"),
  );
  const channels = found.get(schedule.id) ?? [];
  if (channels.length === 0 && (!hasMail || own.length === 0)) {
    const reason = hasMail
      ? "the schedule has no channel, and its user has no address; associate a channel"
      : "the schedule has no channel, and this host sends no mail; associate a channel";
    await record(entry, { outcome: "failed", reason }, records);
    return { kind: "failed", reason };
  }
  const isLinked = !isAttached || channels.some((channel) => channel.type !== "email");
  const names = fileNames(files);
  const links: MessageLink[] = [];
  if (isLinked)
    for (const [index, file] of files.entries()) {
      // The first file keeps the id of the event.
      const fileId = index === 0 ? id : eventIdOf(id, index);
      const url = await exportWork.keep(fileId, file, principal);
      links.push({ text: names[index] ?? title, url });
    }
  const [link, ...moreLinks] = links;
  const [attachment, ...moreAttachments] = files.map(({ mediaType }, index) => ({
    exportEventId: id,
    name: names[index] ?? title,
    mediaType,
  }));
  const message: Message = {
    kind: "export",
    alertId: null,
    name: { en: title },
    notices: [],
    noticeCounts: {},
    condition: "",
    ...(problem !== undefined && { problem }),
    slotMs: entry.slotMs,
    zone: schedule.timezone ?? "UTC",
    queryZone: "UTC",
    locale,
    heads: [],
    forms: [],
    rows: [],
    rowCount: 0,
    exported: { eventId: id, scheduleId: schedule.id, dashboardId: schedule.securable_id },
    ...(link && { link: link.url }),
    ...(moreLinks.length > 0 && { moreLinks }),
    ...(schedule.securable_id !== null && {
      dashboardLink: `${options.publicUrl()}/dashboards/${schedule.securable_id}`,
    }),
    ...(isAttached && attachment && { attachment, moreAttachments }),
  };
  const written = {
    outcome: "sent",
    reason: problem ?? null,
    type: files[0]?.type ?? null,
    size_bytes: sizeBytes,
    content: isAttached ? exportContent(files.map(({ bytes }) => bytes)) : null,
  };
  await record(entry, written, records, async (transaction) => {
    const [recipient] = own;
    const recipients = channels.flatMap(recipientsLeft).filter((each) => each !== null);
    const readerOf = await readersOf([schedule.user_id], recipients, transaction);
    const messageTo = (to: string | null): Message => ({
      ...message,
      locale: readerOf(schedule.user_id, to)?.locale ?? message.locale,
    });
    const jobs =
      channels.length > 0
        ? await addDeliveries(
            records,
            [{ alertEventId: null, exportEventId: id, channels, message, messageTo }],
            transaction,
          )
        : [await addOwnMail(entry, recipient ?? null, message, records, transaction)];
    await addDeliveryJobs(jobs, transaction);
  });
  return { kind: "done" };
}

async function addOwnMail(
  { id, schedule }: Entry,
  recipient: string | null,
  message: Message,
  records: Records,
  transaction: Knex.Transaction,
): Promise<NewJob> {
  const values = {
    exportevent_id: id,
    user_id: schedule.user_id,
    kind: message.kind,
    recipient,
    message: { ...message },
  };
  const delivery = await records.insert("delivery", values, transaction);
  return { data: { deliveryId: delivery.id } };
}

/** Records a slot and its deliveries in one transaction. Fails if another run has already recorded the slot. */
async function record(
  { id, schedule, slotMs, startedMs }: Entry,
  values: Readonly<Record<string, unknown>>,
  records: Records,
  withEvent?: (transaction: Knex.Transaction) => Promise<unknown>,
): Promise<void> {
  await records.transaction(async (transaction) => {
    const event = {
      id,
      schedule_id: schedule.id,
      slot_at: new Date(slotMs),
      started_at: new Date(startedMs),
      completed_at: new Date(),
      user_id: schedule.user_id,
      ...values,
    };
    await records.insert("exportevent", event, transaction);
    await withEvent?.(transaction);
  });
}

/** Lists the items that could not be drawn; undefined if all items were drawn. */
function problemOf(failures: DrawnDashboard["failures"]): string | undefined {
  if (failures.length === 0) return undefined;
  const reasons = [...new Set(failures.map(({ message }) => message))].slice(0, namedFailures);
  const items = failures.length === 1 ? "1 item" : `${failures.length} items`;
  return `${items} could not be drawn: ${reasons.join("; ")}`;
}

/** Returns the names of files; equal names get a number. */
function fileNames(files: readonly DrawnFile[]): readonly string[] {
  const counts = new Map<string, number>();
  return files.map(({ name }) => {
    const key = name.toLowerCase();
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count === 1) return name;
    const dot = name.lastIndexOf(".");
    return `${name.slice(0, dot)} ${count}${name.slice(dot)}`;
  });
}
