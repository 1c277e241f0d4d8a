import type { BoundQuery } from "../boundQuery.ts";
import { ApiError } from "../../base/index.ts";
import {
  type DataType,
  type Filter,
  type Having,
  type Order,
  type Query,
  isAnd,
  mapTree,
  type ColumnFilter,
  type OutputFilter,
} from "../../../plugins/protocol/index.ts";
import { binFilter } from "./binFilter.ts";
import { bindConditions } from "./bindConditions.ts";
import { clockIn, type Clock, type Now } from "./clock.ts";
import { bindCalculation } from "./bindCalculation.ts";
import { bindDatasets } from "./bindDatasets.ts";
import { compareGroups } from "./compareGroups.ts";
import { createBinder, type Binder } from "./createBinder.ts";
import { createOutputs, pluginIdOf } from "./createOutputs.ts";
import { matchSelected } from "./matchSelected.ts";
import { movedBounds } from "./movedBounds.ts";
import type { BoundCalculation, BoundReference } from "./boundReference.ts";
import type { QueryLimits } from "../limits.ts";
import { memberPath } from "../parse/readMembers.ts";
import type { FindDataset } from "../queriedDataset.ts";
import type { ParsedCalculation, ParsedQuery, Reference } from "../parsedQuery.ts";

/**
 * Binds a query: datasets that the caller may read, columns by id, values by column type, and relative tests by
 * `now`. Rows that are equal in `order` are ordered by all other keys, ascending. In plain rows, every column is a
 * key.
 * @throws {ApiError} RECORD_NOT_FOUND, QUERY_UNKNOWN_COLUMN, QUERY_NOT_SERVED, MEMBER_INVALID, MEMBER_MISSING
 */
export async function resolve(
  parsed: ParsedQuery,
  findDataset: FindDataset,
  limits: QueryLimits,
  now: Now,
): Promise<BoundQuery> {
  const having = memberPath(parsed.path, "having");
  if (!parsed.rollup && parsed.having.length > 0)
    throw new ApiError("MEMBER_INVALID", [
      having,
      "plain rows have no groups to test; filter in where, or leave out options.rollup_data",
    ]);
  const { datasets, joins } = await bindDatasets(parsed, findDataset);
  const [dataset, ...joined] = datasets;
  const clock = clockIn(parsed.timezoneId ?? "UTC", now);
  const bind = createBinder(parsed, datasets, clock);
  const dimensions = parsed.dimensions.map(bind.dimension);
  const bound = parsed.measures.map(parsed.rollup ? bind.measure : bind.plainMeasure);
  const inDimensions = (reference: Reference) => groupedBy(reference, parsed, dimensions);
  const filters = () => {
    const where = bindWhere(parsed, bind, clock);
    return [...where, ...movedBounds(parsed, where, bind, clock)];
  };
  const scope = { parsed, dimensions, bind, filters, groupedBy: inDimensions, clock };
  const measures = bound.map((each, index): BoundReference => {
    const { per, calculation } = parsed.measures[index] ?? {};
    if (calculation)
      return calculated(each, bindCalculation(calculation, index, scope), calculation);
    return per && parsed.rollup ? { ...each, per: per.map(inDimensions) } : each;
  });
  const selected = [...dimensions, ...measures];
  const tested = (reference: Reference): BoundReference =>
    refuseCumulative(
      !reference.calculation && (reference.aggregation || reference.formula !== undefined)
        ? bind.measure(reference)
        : matchSelected(reference, selected),
      reference,
      "cumulative sums are computed after having",
    );
  const outputs = createOutputs();
  const keyCount = Math.max(-1, ...(parsed.rollup ? dimensions : selected).map(outputs.add)) + 1;
  const cells = selected.map(outputs.add);
  const query: Query = {
    id: dataset.source.id,
    ...(joins.length > 0 && { joins }),
    columns: outputs.columns,
    filters: filters(),
    having: bindConditions<OutputFilter>(
      parsed.having,
      tested,
      (reference, expression, value): Having => ({
        column: outputs.add(reference),
        expression,
        ...(value && { value }),
      }),
      clock,
      (test) => compareGroups(test, tested, clock.timezone),
    ),
    order: completeOrder(
      parsed.order.map((item) => {
        const wanted = parsed.rollup ? item.reference : withoutAggregation(item.reference);
        const match = matchSelected(wanted, selected);
        refuseCumulative(
          match,
          wanted,
          "cumulative sums are computed in the order of the answer, so they cannot define that order",
        );
        return { column: outputs.add(match), order: item.order };
      }),
      keyCount,
    ),
    ...(parsed.groupLimit && {
      groupLimit: {
        columns: parsed.groupLimit.per.map((each) =>
          outputs.add(groupedBy(each, parsed, selected)),
        ),
        by: parsed.groupLimit.by,
        offset: parsed.groupLimit.offset,
      },
    }),
    limit: {
      by: Math.min(parsed.limit?.by ?? Infinity, limits.answerRowCount + 1),
      offset: parsed.limit?.offset ?? 0,
    },
    options: {
      pushdown: parsed.rollup,
      ...(bind.timezoneId && { timezone_id: bind.timezoneId }),
      query_timeout: limits.timeoutMs,
    },
  };
  const derived = bind.derived();
  // The indexes of formulas follow those of the columns, whose number is now known.
  const placeOf = (index: number) => (index < 0 ? outputs.columns.length - 1 - index : index);
  const placed: Query = {
    ...query,
    ...(derived.length > 0 && { derived }),
    having: (query.having ?? []).map((test) => placedHaving(test, placeOf)),
    order: (query.order ?? []).map((item) => ({ ...item, column: placeOf(item.column) })),
  };
  if (outputs.columns.length > limits.columnCount)
    throw new ApiError("MEMBER_INVALID", [
      having,
      `a query must have at most ${limits.columnCount} columns, including columns used only in having or order`,
    ]);
  return {
    dataset,
    joined,
    query: placed,
    formulas: outputs.formulas,
    calculations: outputs.calculations,
    types: outputs.types,
    cells: cells.map(placeOf),
    ...collationOf(parsed, placed, outputs.types),
    limited: parsed.limit !== undefined,
  };
}

/**
 * Returns the strings to sort by the rules of a language: the strings in `order`, or else those among the dimensions.
 * Ties, and plain rows without `order`, are ordered by code point, which plugins support.
 */
function collationOf(
  { localeId, order, rollup }: ParsedQuery,
  query: Query,
  types: readonly DataType[],
): Pick<BoundQuery, "collation"> {
  if (localeId === undefined || (order.length === 0 && !rollup)) return {};
  const requested = (query.order ?? []).slice(0, order.length || Infinity);
  const texts = requested
    .map(({ column }) => column)
    .filter((column) => types[column] === "hierarchy");
  return texts.length > 0 ? { collation: { locale: localeId, columns: texts } } : {};
}

function placedHaving(test: Having, placeOf: (index: number) => number): Having {
  return mapTree(test, (leaf) => ({ ...leaf, column: placeOf(leaf.column) }));
}

/** Binds the tests of `where`. The results are combined with AND. */
function bindWhere({ where }: ParsedQuery, bind: Binder, clock: Clock): readonly Filter[] {
  return bindConditions<ColumnFilter>(
    where,
    bind.filtered,
    (reference, expression, value): Filter =>
      reference.bins
        ? binFilter(pluginIdOf(reference), reference.bins, expression, value)
        : {
            column_id: pluginIdOf(reference),
            ...(reference.level && { level: reference.level }),
            expression,
            ...(value && { value }),
          },
    clock,
    bind.compared,
  ).flatMap((filter) => (isAnd(filter) ? filter.and : [filter]));
}

/**
 * Adds a calculation to a measure.
 * @throws {ApiError} MEMBER_INVALID if the measure has no numbers to compare
 */
function calculated(
  measure: BoundReference,
  calculation: BoundCalculation,
  requestedCalculation: ParsedCalculation,
): BoundReference {
  const { path, type } = requestedCalculation;
  const { aggregation } = measure;
  if (measure.type !== "numeric")
    throw new ApiError("MEMBER_INVALID", [
      `${path}.type`,
      `${type} needs a measure of numbers, not of ${measure.type} values`,
    ]);
  if (aggregation === "cumulativesum")
    throw new ApiError("MEMBER_INVALID", [
      `${path}.type`,
      `${type} cannot be combined with cumulativesum; use the aggregation sum`,
    ]);
  if (type === "share_of_total" && aggregation !== "sum" && aggregation !== "count")
    throw new ApiError("MEMBER_INVALID", [
      `${path}.type`,
      `share_of_total needs a sum or a count, because the ${aggregation ?? "formula"} of all rows is not the total of the groups`,
    ]);
  return { ...measure, calculation, requestedCalculation };
}

/** Finds the column of the answer whose values divide the rows for `limit.per`. */
function groupedBy(
  reference: Reference,
  { rollup }: ParsedQuery,
  selected: readonly BoundReference[],
): BoundReference {
  const match = matchSelected(rollup ? reference : withoutAggregation(reference), selected);
  if (match.aggregation === undefined && match.formula === undefined) return match;
  throw new ApiError("MEMBER_INVALID", [
    reference.path,
    "it must be a dimension of the query, not a measure",
  ]);
}

function withoutAggregation(reference: Reference): Reference {
  const { fraction: _, second: __, ...plain } = reference;
  return { ...plain, aggregation: undefined };
}

/** Rejects a cumulative sum in a clause that is applied before the sum is computed. */
function refuseCumulative(bound: BoundReference, { path }: Reference, why: string): BoundReference {
  if (bound.aggregation === "cumulativesum")
    throw new ApiError("MEMBER_INVALID", [
      path,
      `${why}; use the aggregation sum here instead of cumulativesum`,
    ]);
  return bound;
}

function completeOrder(requested: readonly Order[], keyCount: number): readonly Order[] {
  const keys = Array.from({ length: keyCount }, (_, column): Order => ({ column, order: "asc" }));
  const order = new Map<number, Order>();
  for (const item of [...requested, ...keys])
    if (!order.has(item.column)) order.set(item.column, item);
  return keyCount > 0 ? [...order.values()] : [];
}
