import Type from "typebox";
import { isObject } from "../../base/index.ts";
import { choice, instant, list, object, settable } from "../kernel/index.ts";
import { parseFrequency, type Frequency } from "./frequency.ts";
import { recurrenceUnits } from "./nextDue.ts";

/** Lengths of the units that a duration may have, in milliseconds. */
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
      : `be {unit: one of ${durationUnits.join(", ")}, quantity: a whole number from 1}, or words such as 10 minutes`,
  convert: parseDuration,
});

/** The members that say how an alert judges its answers. Their defaults are the contract's plain behaviour. */
export const ruleFields = {
  notify: choice(["every", "change"], { ...settable, nullable: false, default: "every" }),
  for: duration(),
  keep_firing_for: duration(),
  instance_by: list(Type.String(), "a list of ids of columns", settable),
  no_data: choice(["ok", "keep", "fire"], { ...settable, nullable: false, default: "ok" }),
  error: choice(["ok", "keep", "fire"], { ...settable, nullable: false, default: "keep" }),
  recovery: object(settable),
  mute_until: instant(settable),
};

/** Returns the milliseconds of a stored duration; 0 for none. */
export function durationMs(value: unknown): number {
  const found = parseDuration(value);
  return found ? found.quantity * (unitMs[found.unit] ?? 0) : 0;
}

/** Returns the place of each column of `instance_by` among the dimensions of a query; -1 for one that is none. */
export function instanceColumns(instanceBy: readonly string[], query: unknown): number[] {
  const dimensions =
    isObject<"dimensions">(query) && Array.isArray(query.dimensions) ? query.dimensions : [];
  const ids = dimensions.map((each: unknown) =>
    isObject<"column_id">(each) ? each.column_id : undefined,
  );
  return instanceBy.map((id) => ids.indexOf(id));
}
