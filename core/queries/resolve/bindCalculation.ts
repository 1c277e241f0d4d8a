import {
  isAnd,
  isOfDays,
  isOr,
  type ColumnFilter,
  type Filter,
} from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";
import { parseInstant } from "../parse/parseInstant.ts";
import type {
  Condition,
  ParsedCalculation,
  ParsedQuery,
  Reference,
  Shift,
} from "../parsedQuery.ts";
import { isSameColumn, referencesIn } from "../references.ts";
import type { BoundCalculation, BoundReference } from "./boundReference.ts";
import type { Clock } from "./clock.ts";
import { labelOf } from "./createColumnFinder.ts";
import type { Binder } from "./createBinder.ts";
import { shiftOver, type InstantRange } from "./shiftOver.ts";

export interface CalculationScope {
  readonly parsed: ParsedQuery;
  /** The dimensions of the query, bound in the same order. */
  readonly dimensions: readonly BoundReference[];
  readonly bind: Pick<Binder, "filtered">;
  /** The tests of `where`, combined with AND. */
  readonly filters: () => readonly Filter[];
  readonly groupedBy: (reference: Reference) => BoundReference;
  readonly clock: Clock;
}

type ParsedComparison = Extract<ParsedCalculation, { readonly isToDate: boolean }>;

/**
 * Binds the calculation of the measure with the given index: finds the datetime column of a comparison with the past,
 * and how far its datetimes are moved.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_MISSING
 */
export function bindCalculation(
  calculation: ParsedCalculation,
  measure: number,
  scope: CalculationScope,
): BoundCalculation {
  const { parsed, clock, groupedBy } = scope;
  if (!parsed.rollup)
    throw new ApiError("MEMBER_INVALID", [
      calculation.path,
      "plain rows have no groups to compare; leave it out, or leave out options.rollup_data",
    ]);
  if ("per" in calculation)
    return {
      type: calculation.type,
      per: calculation.per.map(groupedBy),
      isAscending: calculation.isAscending,
    };
  const of = comparedColumn(calculation, scope);
  const bound = scope.bind.filtered({ ...of, path: pathOf(calculation) });
  if (bound.type !== "datetime" || !bound.column)
    throw new ApiError("MEMBER_INVALID", [
      `${calculation.path}.column_id`,
      `${bound.column ? labelOf(bound.column) : of.columnId} is ${bound.type}; only datetime columns have earlier periods`,
    ]);
  const isDate = bound.column.subtype === "date";
  if (isDate && calculation.unit !== "period" && !isOfDays(calculation.unit))
    throw new ApiError("MEMBER_INVALID", [
      `${calculation.path}.level`,
      `${labelOf(bound.column)} contains dates without a time; use day, week, month, quarter or year`,
    ]);
  const shift = shiftOf(calculation, of, bound.column.pluginId, isDate, scope);
  return {
    type: calculation.type,
    measure,
    of,
    shift: { ...shift, ...(calculation.isToDate && { untilMs: clock.nowMs }) },
  };
}

function pathOf({ path, reference }: ParsedComparison): string {
  return reference ? path : `${path}.column_id`;
}

/** Returns the column along which the measure is compared, without a level. */
function comparedColumn(
  calculation: ParsedComparison,
  { parsed, dimensions }: CalculationScope,
): Reference {
  const { path, reference } = calculation;
  const mentioned = [...parsed.dimensions, ...parsed.where.flatMap(referencesIn)];
  if (reference) {
    if (mentioned.some((each) => isSameColumn(each, reference))) return plainOf(reference);
    throw new ApiError("MEMBER_INVALID", [
      `${path}.column_id`,
      "the query must group or filter by this column, because otherwise the earlier period has the same rows",
    ]);
  }
  const dates = parsed.dimensions.filter((_, index) => dimensions[index]?.type === "datetime");
  const [only, other] = [
    ...new Map(
      dates.map((each) => [JSON.stringify([each.datasetId, each.columnId]), each]),
    ).values(),
  ];
  if (only && !other) return plainOf(only);
  throw new ApiError("MEMBER_MISSING", [
    `${path}.column_id`,
    other
      ? "the datetime column to compare along, because the query groups by several"
      : "the datetime column to compare along, with its dataset_id, because the query groups by none",
  ]);
}

/** Returns a reference to the values of a column. */
function plainOf({ path, datasetId, via, columnId, expression }: Reference): Reference {
  return {
    path,
    datasetId,
    ...(via !== undefined && { via }),
    columnId,
    ...(expression !== undefined && { expression }),
    level: undefined,
    aggregation: undefined,
  };
}

function shiftOf(
  { path, unit, quantity }: ParsedComparison,
  of: Reference,
  pluginId: string,
  isDate: boolean,
  { parsed, filters, clock }: CalculationScope,
): Shift {
  if (unit !== "period") return { unit, count: quantity };
  const word = parsed.where.flatMap((condition) => wordsOf(condition, of))[0];
  if (word) return { ...word, count: word.count * quantity };
  const range = rangeOf(filters(), pluginId, isDate);
  const shift = range && shiftOver(range, isDate ? "UTC" : clock.timezone);
  if (shift) return { ...shift, count: shift.count * quantity };
  throw new ApiError("MEMBER_MISSING", [
    `${path}.level`,
    "the level of the earlier period, such as 1 for a year; without it, where must limit the column on both sides",
  ]);
}

/** Returns the period of a relative test that every row must pass. */
function wordsOf(condition: Condition, of: Reference): readonly Shift[] {
  if ("and" in condition) return condition.and.flatMap((each) => wordsOf(each, of));
  if (!("relative" in condition) || !isSameColumn(condition.reference, of)) return [];
  const { relative, unit, quantity } = condition;
  switch (relative) {
    case "last_now":
    case "last_available":
    case "next_now":
    case "last_completed":
    case "next_full":
      return quantity > 0 ? [{ unit, count: quantity }] : [];
    case "ago":
    case "to_date":
      return [{ unit, count: 1 }];
    case "more_than_ago":
    case "or_more_ago":
      return [];
    default:
      throw new TypeError(`${relative satisfies never} must be read here`);
  }
}

/** Returns the range to which the tests limit a column; undefined if a side is open. */
function rangeOf(
  filters: readonly Filter[],
  pluginId: string,
  isDate: boolean,
): InstantRange | undefined {
  let fromMs = -Infinity;
  let toMs = Infinity;
  const leavesOf = (filter: Filter): readonly ColumnFilter[] =>
    isAnd(filter) ? filter.and.flatMap(leavesOf) : isOr(filter) ? [] : [filter];
  for (const { column_id: id, expression, value, level } of filters.flatMap(leavesOf)) {
    const instant = parseInstant(String(value?.[0]));
    if (id !== pluginId || level || Number.isNaN(instant)) continue;
    if (expression === ">=" || expression === ">") fromMs = Math.max(fromMs, instant);
    if (expression === "<") toMs = Math.min(toMs, instant);
    if (expression === "<=") toMs = Math.min(toMs, afterLast(instant, isDate));
  }
  return fromMs < toMs && Number.isFinite(fromMs) && Number.isFinite(toMs)
    ? { fromMs, toMs }
    : undefined;
}

const dayMs = 86_400_000;

/** Returns the end of a range whose last instant is given. A range may end with the last millisecond of a second. */
function afterLast(instant: number, isDate: boolean): number {
  if (isDate) return instant + dayMs;
  return instant % 1000 === 999 ? instant + 1 : instant;
}
