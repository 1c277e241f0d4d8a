import type { BoundReference } from "./boundReference.ts";
import { ApiError } from "../../base/index.ts";
import {
  aggregationDefinitions,
  aggregations,
  levels,
  namesIn,
  type Aggregation,
  type Bin,
  type Derived,
  type Level,
} from "../../../plugins/protocol/index.ts";
import type { Clock } from "./clock.ts";
import { periodStart } from "./periodStart.ts";
import { createColumnFinder, labelOf } from "./createColumnFinder.ts";
import type { JoinedDataset } from "../boundQuery.ts";
import type { QueriedColumn, QueriedDataset } from "../queriedDataset.ts";
import { compareColumns, type Compared } from "./compareColumns.ts";
import type { ColumnTest, ParsedQuery, Reference } from "../parsedQuery.ts";
import { referencesOf } from "../references.ts";

/** Binds the references of one query. The result depends on the clause that contains the reference. */
export interface Binder {
  dimension(reference: Reference): BoundReference;
  measure(reference: Reference): BoundReference;
  /** Binds a measure of plain rows, whose aggregation is ignored. */
  plainMeasure(reference: Reference): BoundReference;
  /** Binds a column in `where`. */
  filtered(reference: Reference): BoundReference;
  /** Binds a test with several columns in `where`, as a derived column. */
  compared(test: ColumnTest): BoundReference;
  /** Returns the derived columns bound so far. */
  derived(): readonly Derived[];
  /** The time zone of all levels; undefined means UTC. */
  readonly timezoneId: string | undefined;
}

const ofEveryType = aggregations.filter(
  (aggregation) => aggregationDefinitions[aggregation].argument === "any",
);

/** Returns whether each period of a level is a day or shorter. */
const isWithinDay = (level: Level): boolean => levels.indexOf(level) >= levels.indexOf("day");

/**
 * Creates the binder of a query over its datasets, starting with the root. Columns of subtype `date` are never shifted.
 * A plugin receives only one time zone per query. If other columns are truncated in a time zone, the periods of dates
 * are therefore derived columns, and levels of a day or less, which have no effect on a date, are dropped.
 */
export function createBinder(
  parsed: ParsedQuery,
  datasets: readonly [QueriedDataset, ...JoinedDataset[]],
  clock: Clock,
): Binder {
  const { binned, columnOf, comparedOf, derived, expressionOf, formulaOf, moved, truncated } =
    createColumnFinder(datasets, clock);
  const movedIds = new Set(
    referencesOf(parsed)
      .filter(({ shift }) => shift)
      .map((reference) => columnOf(reference).pluginId),
  );
  const isDate = (reference: Reference) =>
    reference.columnId !== "*" && columnOf(reference).subtype === "date";
  const levelled = referencesOf(parsed).filter(
    (reference) =>
      reference.level !== undefined &&
      reference.columnId !== "*" &&
      columnOf(reference).type === "datetime",
  );
  const shifted =
    parsed.timezoneId !== undefined && levelled.some((reference) => !isDate(reference));

  const bind = (reference: Reference): Omit<BoundReference, "type" | "aggregation"> => {
    const { columnId, via, level, expression } = reference;
    if (reference.formula !== undefined)
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.formula`,
        "a formula can only be used in measures, having and order of a query with groups",
      ]);
    if (columnId === "*") return { columnId, column: undefined, level: undefined };
    const stored = columnOf(reference);
    const whole = reference.shift ? moved(stored, reference.shift) : stored;
    const isShiftedDate = shifted && whole.subtype === "date";
    const column = isShiftedDate && level && !isWithinDay(level) ? truncated(whole, level) : whole;
    if (level && column.type === "hierarchy")
      return { columnId, via, column, expression, level: undefined, requestedLevel: level };
    if (level && column.type !== "datetime")
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.level`,
        `${labelOf(column)} is ${column.type}; only datetime columns have levels`,
      ]);
    return {
      columnId,
      via,
      column,
      expression,
      level: isShiftedDate ? undefined : level,
      requestedLevel: level,
    };
  };
  const plain = (reference: Reference, role: string): BoundReference => {
    if (reference.calculation)
      throw new ApiError("MEMBER_INVALID", [
        reference.calculation.path,
        `only measures of groups can have a calculation, not ${role}; leave it out`,
      ]);
    const bound = bind(reference);
    if (!bound.column)
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.column_id`,
        `"*" is only allowed for the measure count, not for ${role}`,
      ]);
    return {
      ...bound,
      bins: bindBins(reference, bound.column),
      aggregation: undefined,
      type: bound.column.type,
    };
  };
  const withoutAggregation = (reference: Reference, role: string): BoundReference => {
    if (reference.aggregation)
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.aggregation`,
        `${role} cannot have an aggregation; use aggregations in measures and having`,
      ]);
    return plain(reference, role);
  };
  const secondOf = (
    reference: Reference,
    aggregation: Aggregation,
  ): Pick<BoundReference, "second" | "secondBins"> => {
    const column = columnOf(reference);
    if (column.type !== "numeric")
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.column_id`,
        `${labelOf(column)} is ${column.type}; the second column of ${aggregation} must be numeric`,
      ]);
    const secondBins = bindBins(reference, column);
    return { second: binned(column, secondBins), secondBins };
  };
  /** Refuses an expression that would read the moved column as it was before the move. */
  const refuseUnmoved = (bound: BoundReference, { path, shift }: Reference): BoundReference => {
    const { column } = bound;
    if (shift || movedIds.size === 0 || column?.expression === undefined) return bound;
    const { columnIds } = namesIn(expressionOf(column));
    if (!columnIds.some((id) => movedIds.has(id))) return bound;
    throw new ApiError("MEMBER_INVALID", [
      path,
      `${labelOf(column)} is computed from the column along which a measure is compared with the past, so it cannot be moved with that column. Group and filter by the column itself`,
    ]);
  };
  const keyed = (reference: Reference, role: string) =>
    refuseUnmoved(withoutAggregation(reference, role), reference);
  const filtered = (reference: Reference) => keyed(reference, "where");
  const sideOf = (reference: Reference): Compared => {
    const { column: whole, bins, requestedLevel } = filtered(reference);
    const column = binned(whole, bins);
    if (!column) throw new TypeError(`${reference.path} must be bound to a column`);
    const timezone = column.subtype === "date" ? "UTC" : clock.timezone;
    const expression = expressionOf(column);
    return {
      type: column.type,
      isDate: column.subtype === "date",
      label: labelOf(column),
      expression:
        requestedLevel && column.type === "datetime"
          ? periodStart(expression, requestedLevel, timezone)
          : expression,
    };
  };
  return {
    derived,
    filtered,
    compared: (test) =>
      comparedOf(
        test.path,
        compareColumns(
          test,
          test.operands.map((each) => ("reference" in each ? sideOf(each.reference) : each)),
          clock.timezone,
        ),
      ),
    timezoneId: shifted ? parsed.timezoneId : undefined,
    dimension: (reference) => keyed(reference, "a dimension"),
    plainMeasure: (reference) => plain(reference, "plain rows"),
    measure(reference) {
      if (reference.formula !== undefined) return formulaOf(reference, reference.formula);
      const { column: whole, ...rest } = bind(reference);
      const bins = bindBins(reference, whole);
      const bound = { ...rest, bins, column: binned(whole, bins) };
      const aggregation = reference.aggregation ?? defaultAggregation(bound.column);
      refuseMismatch(reference, bound.column, aggregation);
      const keepsType = aggregationDefinitions[aggregation].result === "T";
      return {
        ...bound,
        aggregation,
        fraction: reference.fraction,
        ...(reference.second && secondOf(reference.second, aggregation)),
        type: keepsType && bound.column ? bound.column.type : "numeric",
      };
    },
  };
}

function bindBins({ path, bins }: Reference, column: QueriedColumn | undefined): Bin | undefined {
  if (!bins) return undefined;
  if (column?.type !== "numeric")
    throw new ApiError("MEMBER_INVALID", [
      `${path}.discretization`,
      column
        ? `${labelOf(column)} is ${column.type}; only numeric columns have bins`
        : '"*" cannot have bins; leave it out',
    ]);
  if (!("count" in bins)) return bins;
  throw new ApiError("MEMBER_INVALID", [
    `${path}.discretization.bins`,
    "the width of these bins depends on the filtered rows, so a filter cannot use them; set size, or set over together with bins",
  ]);
}

/**
 * Returns the default aggregation of a measure: that of its column if the column's type permits it, otherwise the sum
 * for numbers and the count for other types.
 */
export function defaultAggregation(column: QueriedColumn | undefined): Aggregation {
  const { type, aggregation } = column ?? {};
  if (type === "numeric") return aggregation ?? "sum";
  return aggregation && ofEveryType.includes(aggregation) ? aggregation : "count";
}

function refuseMismatch(
  reference: Reference,
  column: QueriedColumn | undefined,
  aggregation: Aggregation,
): void {
  const at = `${reference.path}.aggregation`;
  if (!column && aggregation !== "count")
    throw new ApiError("MEMBER_INVALID", [at, `"*" can only be counted, not ${aggregation}`]);
  if (column && column.type !== "numeric" && !ofEveryType.includes(aggregation))
    throw new ApiError("MEMBER_INVALID", [
      at,
      `${labelOf(column)} is ${column.type}, but ${aggregation} needs a numeric column. For every column you can use ${ofEveryType.join(", ")}`,
    ]);
}
