import type { Bin } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";
import type { Bins, ParsedCalculation, Reference } from "../parsedQuery.ts";
import { keyOf, type BoundReference } from "./boundReference.ts";
import { defaultAggregation } from "./createBinder.ts";
import { hasCalculation } from "./hasCalculation.ts";

/**
 * Finds the dimension or measure to which an item of order or having refers: by level, aggregation and calculation, or
 * else the only match.
 */
export function matchSelected(
  wanted: Reference,
  selected: readonly BoundReference[],
): BoundReference {
  const same = selected.filter(
    (each) =>
      each.columnId === wanted.columnId &&
      each.via === wanted.via &&
      each.formula?.text === wanted.formula &&
      (wanted.expression === undefined || each.expression === wanted.expression),
  );
  const aggregations = [
    wanted.aggregation,
    wanted.aggregation ?? defaultAggregation(same[0]?.column),
  ];
  const fitting = same
    .filter((each) => hasCalculation(each, wanted.calculation))
    .filter((each) => wanted.level === undefined || each.requestedLevel === wanted.level)
    .filter((each) => wanted.aggregation === undefined || each.aggregation === wanted.aggregation)
    .filter((each) => !wanted.bins || isSame(each.bins, wanted.bins))
    .filter((each) => wanted.fraction === undefined || each.fraction === wanted.fraction)
    .filter((each) => wanted.second === undefined || isSecond(each, wanted.second));
  const exact = aggregations.flatMap((aggregation) => {
    const named = fitting.filter(
      (each) =>
        each.requestedLevel === wanted.level &&
        each.aggregation === aggregation &&
        each.expression === wanted.expression &&
        namedCount(each.requestedCalculation) === namedCount(wanted.calculation),
    );
    // If a column is selected both with and without bins, an item without bins refers to the column without bins.
    return [...named.filter((each) => !each.bins === !wanted.bins), ...named];
  });
  const isOne = fitting.every((each) => keyOf(each) === keyOf(fitting[0]));
  const match = exact[0] ?? (isOne ? fitting[0] : undefined);
  if (match) return match;
  throw new ApiError("MEMBER_INVALID", [
    wanted.path,
    fitting.length > 0
      ? `the column ${wanted.columnId} appears in several dimensions or measures; set level, aggregation or calculation to choose one`
      : `the column ${wanted.columnId.slice(0, 100)} with this level, aggregation and calculation must be a dimension or measure of the query; add it there`,
  ]);
}

function namedCount(calculation: ParsedCalculation | undefined): number {
  return calculation?.named.length ?? 0;
}

function isSecond(
  { second, secondBins }: BoundReference,
  { columnId, expression, bins }: Reference,
): boolean {
  if (second?.id !== columnId) return false;
  if (bins) return isSame(secondBins, bins);
  return !secondBins && (expression === undefined || second.expression === expression);
}

function isSame(bins: Bin | undefined, wanted: Bins): boolean {
  return "width" in wanted && bins?.width === wanted.width && bins.origin === wanted.origin;
}
