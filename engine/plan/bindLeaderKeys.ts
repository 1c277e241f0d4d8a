import type { GroupLimit, Output } from "../types.ts";
import { bindKey } from "./bindKey.ts";
import type { BoundPlan } from "./boundPlan.ts";
import type { PlanSource } from "./planSource.ts";

/** Maximum product of the number of groups and the number of rows that a group limit keeps of each. */
const mostKeptRows = 2 ** 20;

/**
 * Binds the keys of a group limit. Undefined if the values of a key are not numbered, or if there are so many
 * combinations that numbering only those that occur takes less memory.
 */
export function bindLeaderKeys(
  outputs: readonly Output[],
  { outputs: limited, count, offset }: GroupLimit,
  source: PlanSource,
): BoundPlan["leaderKeys"] {
  const keys = limited.flatMap((output) => {
    const { of } = outputs[output];
    return of ? [bindKey(of, source)] : [];
  });
  const numbered = keys.flatMap((key) =>
    key.kind === "value" || key.kind === "computed" ? [] : [key],
  );
  if (numbered.length < limited.length) return undefined;
  const capacity = numbered.reduce((product, { cardinality }) => product * cardinality, 1);
  return capacity * (count + offset) <= mostKeptRows ? numbered : undefined;
}
