import Type from "typebox";
import { isObject, reference } from "../../base/index.ts";
import { checkedObject, choice, instant, list, object, settable } from "../kernel/index.ts";
import { parseFrequency, type Frequency } from "./frequency.ts";
import { recurrenceUnits } from "./nextDue.ts";
import { type QuietHours, quietHoursProblem } from "./quietHours.ts";

/** Milliseconds per unit of a duration. */
const unitMs: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
/** The units of durations in rules. */
export const durationUnits = recurrenceUnits.filter((unit) => Object.hasOwn(unitMs, unit));

const parseDuration = (value: unknown): Frequency | undefined => {
  const found = parseFrequency(value);
  return found && durationUnits.includes(found.unit) ? found : undefined;
};

const duration = (description: string) => ({
  ...object({ description, ...settable }),
  schema: Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())]),
  expects: "{unit, quantity}",
  check: (value: unknown) =>
    parseDuration(value)
      ? undefined
      : `be {unit: one of ${durationUnits.join(", ")}, quantity: a whole number of at least 1}, or a string such as 10 minutes`,
  convert: parseDuration,
  described: {
    given: Type.Union([
      Type.String({ description: "A duration in words, such as 10 minutes." }),
      reference("AlertDuration"),
    ]),
    shown: reference("AlertDuration"),
  },
});

/**
 * The members that decide how an alert evaluates the rows of its query. With the defaults, alerts behave as they did
 * before these members existed.
 */
export const ruleFields = {
  notify: choice(["every", "change"], {
    description:
      "Whether each evaluation that triggers sends a message, or only a change of the alert's state.",
    ...settable,
    nullable: false,
    default: "every",
  }),
  for: duration("How long the condition must hold before the alert triggers."),
  keep_firing_for: duration("How long the alert stays triggered after the condition last held."),
  instance_by: list(Type.String(), "a list of column ids", {
    description: "Columns whose values are watched separately.",
    ...settable,
  }),
  no_data: choice(["ok", "keep", "fire"], {
    description:
      "What missing data mean for the state of the alert: an answer without rows, or a watched value that has no rows.",
    ...settable,
    nullable: false,
    default: "ok",
  }),
  error: choice(["ok", "keep", "fire"], {
    description: "What a failed query means for the state of the alert.",
    ...settable,
    nullable: false,
    default: "keep",
  }),
  recovery: object({
    description:
      "The condition under which the alert recovers, if it differs from the condition that triggers the alert.",
    ...settable,
    described: { given: reference("Query") },
  }),
  mute_until: instant({
    description: "The instant until which the alert sends no messages.",
    ...settable,
  }),
  quiet_hours: checkedObject<QuietHours>({
    description:
      "Recurring hours in which the alert sends no messages. If it still fires when they end, the host then sends the message.",
    ...settable,
    check: quietHoursProblem,
    described: { given: reference("QuietHours") },
  }),
};

/** Converts a stored duration to milliseconds; 0 if there is none. */
export function durationMs(value: unknown): number {
  const found = parseDuration(value);
  return found ? found.quantity * (unitMs[found.unit] ?? 0) : 0;
}

/**
 * Returns the position of each `instance_by` column among the dimensions of a query, or -1 for a column that is not a
 * dimension.
 */
export function instanceColumns(instanceBy: readonly string[], query: unknown): number[] {
  const dimensions =
    isObject<"dimensions">(query) && Array.isArray(query.dimensions) ? query.dimensions : [];
  const ids = dimensions.map((each: unknown) =>
    isObject<"column_id">(each) ? each.column_id : undefined,
  );
  return instanceBy.map((id) => ids.indexOf(id));
}
