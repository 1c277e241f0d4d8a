import { isList, isObject, type Members } from "../../base/index.ts";
import { levelOfNumber, levels } from "../../../plugins/protocol/index.ts";
import { relativeOf, relativeRange } from "../../queries/index.ts";
import type { KnownDataset } from "../meaning/readDatasets.ts";

/**
 * Lists the names of datasets, columns and formulas. Digits in these names do not count as numbers when a text is
 * checked.
 */
export function namesOf(datasets: readonly KnownDataset[]): readonly string[] {
  return datasets.flatMap(({ name, names, columns, formulas }) => [
    name,
    ...textsOf(names),
    ...[...columns, ...formulas].flatMap((each) => [each.name, ...textsOf(each.names)]),
  ]);
}

function textsOf(names: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(names).filter((each) => typeof each === "string");
}

/**
 * Lists the dates that a query is about: ISO dates in its filters, and the first and last days of its relative periods
 * at `nowMs`. Periods of `last_available` are omitted, because the date of the latest data is not known.
 */
export function datesOf(
  query: Members<"where">,
  nowMs: number,
  timezone = "UTC",
): readonly string[] {
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string" && /^\d{4}-\d\d-\d\d(?:T|$)/.test(value)) found.push(value);
    else if (isList(value)) for (const each of value) collect(each);
    else if (isObject<"parameters" | "and" | "or">(value)) {
      found.push(...daysOf(value, nowMs, timezone));
      collect([value.parameters, value.and, value.or]);
    }
  };
  collect(query.where);
  return found;
}

/** Returns the first and the last day of a filter on a relative period; an empty list for other filters. */
function daysOf(
  { expression, parameters }: Readonly<Record<string, unknown>>,
  nowMs: number,
  timezone: string,
): readonly string[] {
  const relative = typeof expression === "string" ? relativeOf(expression) : undefined;
  if (!relative || relative.word === "last_available" || !isList(parameters)) return [];
  const [, value] = parameters;
  const { unit: place, quantity = 1 } = isObject(value) ? value : {};
  const unit = relative.period ?? levelOfNumber(place);
  if (!unit || levels.indexOf(unit) > levels.indexOf("day") || typeof quantity !== "number")
    return [];
  const range = relativeRange({
    word: relative.word,
    unit,
    quantity: Math.abs(quantity),
    anchorMs: nowMs,
    timezone,
    isDate: true,
  });
  const days: string[] = [];
  if (range?.from) days.push(dayOf(range.from.at + (range.from.isIncluded ? 0 : 1)));
  if (range?.to) days.push(dayOf(range.to.at - (range.to.isIncluded ? 0 : 1)));
  return days;
}

const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
