import { isAnd, isOr, type ColumnFilter, type Filter } from "../../../plugins/protocol/index.ts";
import { applyFunction } from "../expressions/index.ts";
import { parseInstant } from "../parse/parseInstant.ts";
import type { ParsedQuery, Reference, Shift } from "../parsedQuery.ts";
import { referencesOf } from "../references.ts";
import type { Clock } from "./clock.ts";
import type { Binder } from "./createBinder.ts";

/**
 * Returns the tests that follow from moved columns: a moved datetime is not after `untilMs`, and its source is within
 * the range that `where` implies, give or take some days. Sources can test the range even if they cannot move
 * datetimes, so they return fewer rows.
 */
export function movedBounds(
  parsed: ParsedQuery,
  where: readonly Filter[],
  bind: Pick<Binder, "filtered">,
  clock: Clock,
): readonly Filter[] {
  const moved = new Map<string, readonly Filter[]>();
  for (const reference of referencesOf(parsed)) {
    const { shift } = reference;
    if (!shift) continue;
    const { column } = bind.filtered(plain(reference));
    if (!column || moved.has(column.pluginId)) continue;
    const { shift: _, ...unmoved } = plain(reference);
    const source = bind.filtered(unmoved).column?.pluginId ?? "";
    const isDate = column.subtype === "date";
    const until = untilOf(shift, column.pluginId, isDate, clock);
    const zone = isDate ? "UTC" : clock.timezone;
    const bounds = [...where, ...until]
      .flatMap(leavesOf)
      .filter(({ column_id: id, level }) => id === column.pluginId && !level)
      .flatMap((filter) => boundOf(filter, source, shift, zone));
    moved.set(column.pluginId, [...until, ...bounds]);
  }
  return [...moved.values()].flat();
}

function plain(reference: Reference): Reference {
  return { ...reference, level: undefined };
}

function leavesOf(filter: Filter): readonly ColumnFilter[] {
  if (isAnd(filter)) return filter.and.flatMap(leavesOf);
  return isOr(filter) ? [] : [filter];
}

function untilOf(
  { untilMs }: Shift,
  columnId: string,
  isDate: boolean,
  { timezone }: Clock,
): readonly ColumnFilter[] {
  if (untilMs === undefined) return [];
  const last = isDate ? applyFunction("dateOf", [untilMs, timezone]) : untilMs;
  return [{ column_id: columnId, expression: "<=", value: [instantText(Number(last))] }];
}

/**
 * Days by which the bound of a source may differ from the moved bound: a month lacks up to three days that another
 * month has, and clocks change by less than a day.
 */
const slackMs = 4 * 86_400_000;

function boundOf(
  { expression, value }: ColumnFilter,
  columnId: string,
  { unit, count }: Shift,
  zone: string,
): readonly ColumnFilter[] {
  const isLow = expression === ">=" || expression === ">";
  const isHigh = expression === "<=" || expression === "<";
  const at = parseInstant(String(value?.[0]));
  if ((!isLow && !isHigh) || Number.isNaN(at)) return [];
  const back = applyFunction("dateAdd", [unit, -count, at, zone]);
  if (typeof back !== "number") return [];
  const text = instantText(isLow ? back - slackMs : back + slackMs);
  return [{ column_id: columnId, expression: isLow ? ">=" : "<=", value: [text] }];
}

function instantText(instant: number): string {
  return new Date(instant).toISOString();
}
