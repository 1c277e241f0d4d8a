import Type from "typebox";
import { isObject } from "../../base/index.ts";
import { choice, instant, list, object, settable } from "../kernel/index.ts";
import { parseFrequency, type Frequency } from "./frequency.ts";
import { recurrenceUnits } from "./nextDue.ts";

/** Milliseconds per unit of a duration. */
const unitMs: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
const durationUnits = recurrenceUnits.filter((unit) => Object.hasOwn(unitMs, unit));

const parseDuration = (value: unknown): Frequency | undefined => {
  const found = parseFrequency(value);
  return found && durationUnits.includes(found.unit) ? found : undefined;
};

const duration = () => ({
  ...object(settable),
  schema: Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())]),
  expects: "{unit, quantity}",
  check: (value: unknown) =>
    parseDuration(value)
      ? undefined
      : `be {unit: one of ${durationUnits.join(", ")}, quantity: a whole number of at least 1}, or a string such as 10 minutes`,
  convert: parseDuration,
});

/**
 * The members that decide how an alert evaluates the rows of its query. The defaults are the original behaviour of the
 * API.
 */
export const ruleFields = {
  notify: choice(["every", "change"], { ...settable, nullable: false, default: "every" }),
  for: duration(),
  keep_firing_for: duration(),
  instance_by: list(Type.String(), "a list of column ids", settable),
  no_data: choice(["ok", "keep", "fire"], { ...settable, nullable: false, default: "ok" }),
  error: choice(["ok", "keep", "fire"], { ...settable, nullable: false, default: "keep" }),
  recovery: object(settable),
  mute_until: instant(settable),
};

/** Returns a stored duration in milliseconds, or 0 if there is none. */
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
