import { finiteOf, scales } from "../../plan/scaledSums.ts";
import type { BoundGrouping, BoundOutput, SlotDouble } from "../../plan/boundPlan.ts";
import { inSteps } from "../task/inSteps.ts";
import { correlations, type Covariances } from "./covariances.ts";
import { derivedKey } from "./derivedKey.ts";

/** The merged states of groups. Each function returns an array with one value per group. */
export interface GroupValues extends Covariances {
  readonly keys: readonly Float64Array[];
  /** Returns one of the two doubles of a slot. */
  slot(place: SlotDouble): Float64Array;
  /** Returns count and sum of squared differences of a variance slot. */
  variance(slot: number): { readonly counts: Float64Array; readonly squares: Float64Array };
  distinct(index: number): Float64Array;
  /** Returns the first or the last of the counted computed strings, as unified codes; 0 for a group without strings. */
  extremeText(index: number, isFirst: boolean): Float64Array;
  approximateDistinct(sketch: number): Float64Array;
  approximatePercentile(digest: number, fraction: number): Float64Array;
  percentile(quantile: number, fraction: number): Float64Array;
}

/**
 * Computes the output columns of groups: numbers with NaN for null, stored codes with 0 for null. A result that exceeds
 * the range of doubles is null.
 */
export function groupOutputs(grouping: BoundGrouping, values: GroupValues): Float64Array[] {
  return grouping.outputs.map((output) => outputColumn(output, values));
}

/** The line of a sum that is not computed from another one. */
export const itself = { factor: 1, shift: 0 };

function outputColumn(output: BoundOutput, values: GroupValues): Float64Array {
  const { groupCount } = values;
  const column = new Float64Array(groupCount);
  switch (output.kind) {
    case "key":
      return values.keys[output.key];
    case "derivedkey":
      return derivedKey(output.of, values.keys, groupCount);
    case "count":
      return values.slot(output.count);
    case "sum":
    case "cumulativesum":
    case "average": {
      const sums = values.slot(output.sum);
      const counts = values.slot(output.count);
      const unit = output.decimals > 0 ? 10 ** output.decimals : 1;
      const isAverage = output.kind === "average";
      const scaled = output.scaled && values.slot(output.scaled);
      const { factor, shift } = output.line ?? itself;
      inSteps(groupCount, (from, to) => {
        for (let group = from; group < to; group++) {
          const sum = (sums[group] * factor + counts[group] * shift) / unit;
          const by = isAverage ? counts[group] : 1;
          const value = finiteOf(sum / by, scaled && scaled[group] / by, scales.sum);
          column[group] = counts[group] > 0 ? value + 0 : NaN;
        }
      });
      return column;
    }
    case "weightedaverage": {
      const sums = values.slot(output.sum);
      const weights = values.slot(output.weight);
      const scaled = output.scaled && {
        sums: values.slot(output.scaled.sum),
        weights: values.slot(output.scaled.weight),
        weightCounts: values.slot(output.scaled.weightCount),
        counts: values.slot(output.count),
      };
      inSteps(groupCount, (from, to) => {
        for (let group = from; group < to; group++) {
          // A product that exceeds the range of doubles counts as null. The two counts are then different, because only
          // the count of products leaves it out.
          const isWhole = !scaled || scaled.counts[group] === scaled.weightCounts[group];
          const value = finiteOf(
            isWhole && Number.isFinite(weights[group]) ? sums[group] / weights[group] : NaN,
            scaled && scaled.sums[group] / scaled.weights[group],
            scales.square,
          );
          column[group] = value + 0;
        }
      });
      return column;
    }
    case "least":
    case "greatest": {
      const isLeast = output.kind === "least";
      const extents = values.slot({ slot: output.extent, lane: isLeast ? 0 : 1 });
      const unit = output.decimals > 0 ? 10 ** output.decimals : 1;
      inSteps(groupCount, (from, to) => {
        for (let group = from; group < to; group++) {
          const extent = isLeast ? extents[group] : -extents[group];
          const value = Number.isFinite(extent) ? extent / unit + 0 : NaN;
          column[group] = output.codesByRank
            ? value === value
              ? output.codesByRank[value] + 1
              : 0
            : value;
        }
      });
      return column;
    }
    case "stddev": {
      const { counts, squares } = values.variance(output.variance);
      const scaled = output.scaled === undefined ? undefined : values.variance(output.scaled);
      inSteps(groupCount, (from, to) => {
        for (let group = from; group < to; group++) {
          const degrees = counts[group] - 1;
          const value = finiteOf(
            Math.sqrt(squares[group] / degrees),
            scaled && Math.sqrt(scaled.squares[group] / degrees),
            scales.square,
          );
          column[group] = degrees > 0 ? value : NaN;
        }
      });
      return column;
    }
    case "corr":
      return correlations(output.covariances, values);
    case "distinct":
      return values.distinct(output.distinct);
    case "firstText":
    case "lastText":
      return values.extremeText(output.distinct, output.kind === "firstText");
    case "approximatedistinct":
      return values.approximateDistinct(output.sketch);
    case "approximatepercentile":
      return values.approximatePercentile(output.digest, output.fraction);
    case "percentile":
      return values.percentile(output.quantile, output.fraction);
    default:
      return output satisfies never;
  }
}
