import type { Bin } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";
import type { Bins, Reference } from "../parsedQuery.ts";
import { keyOf, type BoundReference } from "./boundReference.ts";
import { defaultAggregation } from "./createBinder.ts";

/**
 * Finds the dimension or measure to which an item of order or having refers: by level and aggregation, or else the only
 * match.
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
    .filter((each) => isCalculated(each, wanted))
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
        each.expression === wanted.expression,
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
      ? `the column ${wanted.columnId} appears in several dimensions or measures; set level or aggregation to choose one`
      : `the column ${wanted.columnId.slice(0, 100)} with this level and aggregation must be a dimension or measure of the query; add it there`,
  ]);
}

/** Returns whether a measure has the calculation that an item names, or none if the item names none. */
function isCalculated({ calculation: own }: BoundReference, { calculation }: Reference): boolean {
  return own?.type === calculation?.type;
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
