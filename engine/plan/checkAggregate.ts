import { aggregates } from "../aggregates.ts";
import { EngineError } from "../errors.ts";
import type { Output } from "../types.ts";

export type Aggregate = Extract<Output, { kind: "aggregate" }>;

/** Throws if an aggregate does not exist or has wrong arguments. */
export function checkAggregate(output: Aggregate): void {
  const { function: name, fraction } = output;
  if (!Object.hasOwn(aggregates, name)) throw invalid(`there is no aggregate ${String(name)}`);
  const { argument, takes } = aggregates[name];
  const isNone = argument === "none";
  if ((output.of === undefined) !== isNone)
    throw invalid(`${name} ${isNone ? "takes no" : "needs an"} expression`);
  const isWeighted = takes === "weight";
  if ((output.weight !== undefined) !== isWeighted)
    throw invalid(`${name} ${isWeighted ? "needs a" : "takes no"} weight`);
  const isOfTwo = takes === "other";
  if ((output.other !== undefined) !== isOfTwo)
    throw invalid(`${name} ${isOfTwo ? "needs another" : "takes no other"} expression`);
  const isPercentile = takes === "fraction";
  if (
    isPercentile
      ? !(fraction !== undefined && fraction >= 0 && fraction <= 1)
      : fraction !== undefined
  )
    throw invalid(
      isPercentile ? `${name} needs a fraction from 0 to 1` : `${name} takes no fraction`,
    );
}

const invalid = (reason: string) => new EngineError("QUERY_PLAN", [reason]);
