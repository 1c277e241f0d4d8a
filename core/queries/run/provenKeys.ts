import { pairsOf } from "../../../plugins/protocol/index.ts";
import type { ProvenKey } from "../join/joinDatasets.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import type { JoinedPart } from "../queryPlan.ts";
import type { RunAnswer } from "./runAnswer.ts";

/**
 * Lists the columns that a run proves to have no repeated values: all rows of their datasets took part in the join, and
 * a repeated value would have made the join fail.
 */
export function provenKeys({ query, joined }: SecuredQuery, plan: RunAnswer["plan"]): ProvenKey[] {
  const { joins = [] } = query;
  return joins.flatMap((join, index) => {
    const { filters = [] } = join;
    const dataset = joined[index];
    const isWhole = plan.mode !== "joined" || isReadWhole(plan.parts, index + 1);
    return dataset && filters.length === 0 && isWhole
      ? [{ datasetId: dataset.id, columnIds: pairsOf(join).map(({ right }) => right) }]
      : [];
  });
}

/**
 * Returns whether a plugin sent every row of a dataset. Filters, hints, or the filters on the plugin's other datasets
 * may make the plugin omit rows.
 */
function isReadWhole(parts: readonly JoinedPart[], index: number): boolean {
  const part = parts[index];
  if (!part) return false;
  if (!part.pushed) return true;
  const { fingerprint } = part.dataset.connection;
  return parts
    .filter((each) => each.dataset.connection.fingerprint === fingerprint)
    .every(({ pushed, hints = [] }) => !pushed?.filters.length && hints.length === 0);
}
