import { EngineError } from "../errors.ts";
import type { AggregateFunction, Output } from "../types.ts";

export type Aggregate = Extract<Output, { kind: "aggregate" }>;

/** The argument of each aggregate: a number, any type, or none. */
export const aggregateArguments: Readonly<Record<AggregateFunction, "number" | "any" | "none">> = {
  rows: "none",
  count: "any",
  sum: "number",
  average: "number",
  min: "any",
  max: "any",
  distinctcount: "any",
  median: "number",
  percentile: "number",
  stddev: "number",
  weightedaverage: "number",
  cumulativesum: "number",
  approximatedistinctcount: "any",
  approximatepercentile: "number",
};

/** Refuses aggregates that do not exist or have wrong arguments. */
export function checkAggregate(output: Aggregate): void {
  if (!Object.hasOwn(aggregateArguments, output.function))
    throw invalid(`there is no aggregate ${String(output.function)}`);
  const isNone = aggregateArguments[output.function] === "none";
  if ((output.of === undefined) !== isNone)
    throw invalid(`${output.function} takes ${isNone ? "no" : "an"} expression`);
  const isWeighted = output.function === "weightedaverage";
  if ((output.weight !== undefined) !== isWeighted)
    throw invalid(`${output.function} takes ${isWeighted ? "a" : "no"} weight`);
  const isPercentile =
    output.function === "percentile" || output.function === "approximatepercentile";
  const { fraction } = output;
  if (
    isPercentile
      ? !(fraction !== undefined && fraction >= 0 && fraction <= 1)
      : fraction !== undefined
  )
    throw invalid(
      isPercentile
        ? `${output.function} takes a fraction from 0 to 1`
        : `${output.function} takes no fraction`,
    );
}

const invalid = (reason: string) => new EngineError("QUERY_PLAN", [reason]);
