import { readerZone } from "../../language/index.ts";
import type { AlertRecord, StoredQuietHours } from "./alertRecord.ts";
import { readDuration, writeDuration } from "./duration.ts";
import { conditionOf, recoveryOf, withCondition, type Condition, type Json } from "./condition.ts";

/** The values in the form of an alert. Durations and numbers are unparsed; the host checks them. */
export interface AlertDraft extends Condition {
  readonly name: string;
  /** The value at which the alert recovers; "" if the alert recovers as soon as the condition no longer applies. */
  readonly recovery: string;
  readonly unit: string;
  readonly quantity: string;
  readonly notify: string;
  /** How long the condition must apply before the alert fires, such as `10 minutes`; "" to fire immediately. */
  readonly waitsFor: string;
  readonly keepsFiringFor: string;
  /** Ids of the columns whose values have separate states. */
  readonly instanceBy: readonly string[];
  readonly noData: string;
  readonly error: string;
  /** The local time until which the alert is muted, such as `2026-01-31T09:00`; "" if the alert is not muted. */
  readonly muteUntil: string;
  /** The time zone of the evaluations. */
  readonly zone: string;
  /** The local time at which evaluations are due, such as `07:30`; "" for the time at which the alert was created. */
  readonly timeOfDay: string;
  /** The start and end of quiet hours, such as `22:00`; both "" if the alert has none. */
  readonly quietFrom: string;
  readonly quietTo: string;
  /** The weekdays on which quiet hours begin, from 1 (Monday) to 7. */
  readonly quietDays: ReadonlySet<number>;
  /** Quiet hours that the form cannot show, because they have several periods. They are kept unchanged. */
  readonly otherQuietHours: StoredQuietHours | undefined;
  readonly channels: ReadonlySet<string>;
}

/** The weekdays, from Monday to Sunday. */
export const weekdays: readonly number[] = [1, 2, 3, 4, 5, 6, 7];

export const newDraft: AlertDraft = {
  name: "",
  measure: 0,
  operator: "? > ?",
  threshold: 0,
  recovery: "",
  unit: "day",
  quantity: "1",
  notify: "change",
  waitsFor: "",
  keepsFiringFor: "",
  instanceBy: [],
  noData: "ok",
  error: "keep",
  muteUntil: "",
  zone: readerZone,
  timeOfDay: "",
  quietFrom: "",
  quietTo: "",
  quietDays: new Set(weekdays),
  otherQuietHours: undefined,
  channels: new Set(),
};

/** Returns the form values of a stored alert. */
export function draftOf(alert: AlertRecord, name: string): AlertDraft {
  const { frequency, mute_until: until } = alert;
  const recovery = conditionOf(alert.recovery);
  return {
    ...newDraft,
    ...conditionOf(alert.query),
    name,
    recovery: recovery ? String(recovery.threshold) : "",
    unit: frequency.unit,
    quantity: String(frequency.quantity),
    notify: alert.notify,
    waitsFor: written(alert.for),
    keepsFiringFor: written(alert.keep_firing_for),
    instanceBy: alert.instance_by ?? [],
    noData: alert.no_data,
    error: alert.error,
    muteUntil: until === null ? "" : wallTime(new Date(until)),
    zone: alert.timezone_id ?? readerZone,
    timeOfDay: alert.time_of_day ?? "",
    ...quietDraftOf(alert.quiet_hours, alert.timezone_id ?? readerZone),
    channels: new Set((alert.channels ?? []).map(({ id }) => id)),
  };
}

/**
 * Returns the properties of an alert. `query` is its stored query, or the query of a new alert. If the form cannot show
 * the condition, the query keeps its condition and recovery.
 */
export function propertiesOf(draft: AlertDraft, query: Json | undefined, isOwnForm = true): Json {
  const { recovery, quantity, unit, muteUntil } = draft;
  const changedQuery = query && isOwnForm ? withCondition(query, draft) : query;
  const value = recovery.trim();
  return {
    query: changedQuery,
    ...(isOwnForm && {
      recovery: value === "" || !query ? null : recoveryOf(query, draft, Number(value)),
    }),
    frequency: `${quantity.trim()} ${unit}`,
    timezone_id: draft.zone.trim(),
    time_of_day: draft.timeOfDay || null,
    quiet_hours: quietHoursOf(draft),
    notify: draft.notify,
    for: readDuration(draft.waitsFor) || null,
    keep_firing_for: readDuration(draft.keepsFiringFor) || null,
    instance_by: draft.instanceBy.length > 0 ? draft.instanceBy : null,
    no_data: draft.noData,
    error: draft.error,
    mute_until: muteUntil === "" ? null : new Date(muteUntil).toISOString(),
  };
}

type QuietDraft = Pick<AlertDraft, "quietFrom" | "quietTo" | "quietDays" | "otherQuietHours">;

/** Returns the form values of quiet hours. The form shows a single period in the time zone of the alert. */
function quietDraftOf(hours: StoredQuietHours | null, zone: string): QuietDraft {
  const { quietFrom, quietTo, quietDays } = newDraft;
  const none = { quietFrom, quietTo, quietDays, otherQuietHours: undefined };
  const [period, ...others] = hours?.periods ?? [];
  if (!hours || !period) return none;
  if (others.length > 0 || hours.timezone_id !== zone) return { ...none, otherQuietHours: hours };
  return {
    quietFrom: period.from,
    quietTo: period.to,
    quietDays: new Set(period.weekdays ?? weekdays),
    otherQuietHours: undefined,
  };
}

function quietHoursOf(draft: AlertDraft): StoredQuietHours | null {
  const { quietFrom: from, quietTo: to, quietDays, otherQuietHours, zone } = draft;
  if (otherQuietHours) return otherQuietHours;
  if (from === "" && to === "") return null;
  const isEveryDay = quietDays.size === weekdays.length;
  const days = weekdays.filter((day) => quietDays.has(day));
  return {
    timezone_id: zone.trim(),
    periods: [{ from, to, ...(!isEveryDay && { weekdays: days }) }],
  };
}

const written = (length: AlertRecord["for"]): string =>
  length === null ? "" : writeDuration(length);

/** Returns an instant as a local time of the reader, to the minute. */
function wallTime(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
