import { readerZone } from "../../language/index.ts";
import type { AlertRecord } from "./alertRecord.ts";
import { conditionOf, recoveryOf, withCondition, type Condition, type Json } from "./condition.ts";

/** An alert as its form has it; durations and numbers are as they were typed, for the host to judge. */
export interface AlertDraft extends Condition {
  readonly name: string;
  /** The value at which it recovers; "" for as soon as the condition no longer holds. */
  readonly recovery: string;
  readonly unit: string;
  readonly quantity: string;
  readonly notify: string;
  /** Such as `10 minutes`; "" for at once. */
  readonly waitsFor: string;
  readonly keepsFiringFor: string;
  /** Ids of the columns whose values have a state of their own. */
  readonly instanceBy: readonly string[];
  readonly noData: string;
  readonly error: string;
  /** The time of a clock on the wall, `2026-01-31T09:00`; "" for not muted. */
  readonly muteUntil: string;
  readonly channels: ReadonlySet<string>;
}

export const newDraft: AlertDraft = {
  name: "",
  measure: 0,
  operator: "? > ?",
  threshold: 0,
  recovery: "",
  unit: "day",
  quantity: "1",
  notify: "every",
  waitsFor: "",
  keepsFiringFor: "",
  instanceBy: [],
  noData: "ok",
  error: "keep",
  muteUntil: "",
  channels: new Set(),
};

/** Returns the draft of a stored alert. */
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
    channels: new Set((alert.channels ?? []).map(({ id }) => id)),
  };
}

/**
 * Returns the members of an alert. `query` is a stored or asked query; a query with a condition of another form keeps
 * it, and its recovery.
 */
export function propertiesOf(draft: AlertDraft, query: Json | undefined, isOwnForm = true): Json {
  const { recovery, quantity, unit, muteUntil } = draft;
  const asked = query && isOwnForm ? withCondition(query, draft) : query;
  const value = recovery.trim();
  return {
    query: asked,
    ...(isOwnForm && {
      recovery: value === "" || !query ? null : recoveryOf(query, draft, Number(value)),
    }),
    frequency: `${quantity.trim()} ${unit}`,
    timezone_id: readerZone,
    notify: draft.notify,
    for: draft.waitsFor.trim() || null,
    keep_firing_for: draft.keepsFiringFor.trim() || null,
    instance_by: draft.instanceBy.length > 0 ? draft.instanceBy : null,
    no_data: draft.noData,
    error: draft.error,
    mute_until: muteUntil === "" ? null : new Date(muteUntil).toISOString(),
  };
}

const written = (length: AlertRecord["for"]): string =>
  length === null ? "" : `${length.quantity} ${length.unit}${length.quantity === 1 ? "" : "s"}`;

/** An instant as the clock of the reader shows it, to the minute. */
function wallTime(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
