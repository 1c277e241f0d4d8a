import { pairsOf, type QueryJoin } from "../../../plugins/protocol/index.ts";
import type { JoinedDataset, BoundQuery } from "../boundQuery.ts";
import { namedColumns } from "../resolve/namedColumns.ts";

/**
 * Removes joined columns that nothing uses, and joins without columns. The answer stays the same, because a row matches
 * at most one row of each joined dataset.
 */
export function removeUnusedJoins(bound: BoundQuery): BoundQuery {
  const { joins = [], ...query } = bound.query;
  if (joins.length === 0) return bound;
  const used = new Set(namedColumns(bound.query));
  const kept: { readonly join: QueryJoin; readonly dataset: JoinedDataset }[] = [];
  for (const [index, join] of [...joins.entries()].toReversed()) {
    const columns = join.columns.filter(({ id }) => used.has(id));
    const dataset = bound.joined[index];
    if (columns.length === 0 || !dataset) continue;
    for (const { left } of pairsOf(join)) used.add(left);
    kept.unshift({ join: { ...join, columns }, dataset });
  }
  return {
    ...bound,
    joined: kept.map(({ dataset }) => dataset),
    query: { ...query, ...(kept.length > 0 && { joins: kept.map(({ join }) => join) }) },
  };
}
