import { endLabel, keyOfEnd, notJoinable, type DatasetLink, type LinkEnd } from "./findLinks.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import type { JoinStep, JoinTree } from "../parsedQuery.ts";

/**
 * Chooses the root of a join: the dataset from which every link leads to a key without repeated values. `unique`
 * contains these keys (`keyOfEnd`). If several datasets qualify because their rows match one to one, the first of them
 * in `preferred` is chosen.
 * @throws {ApiError} QUERY_NOT_JOINABLE if rows match many to many
 */
export function chooseRoot(
  links: readonly DatasetLink[],
  unique: ReadonlySet<string>,
  preferred: readonly QueriedDataset[],
  path: string,
): JoinTree {
  const torn = links.find((link) => link.every((end) => !unique.has(keyOfEnd(end))));
  if (torn)
    throw notJoinable(
      path,
      `values are repeated in both the ${torn.map(endLabel).join(" and the ")}, so rows would match many to many. Link a column without repeated values, or send one query per dataset`,
    );
  const between = links.flatMap((link) => link.map(({ dataset }) => dataset));
  const candidates = [...preferred, ...between];
  for (const { id } of candidates) {
    const steps = stepsFrom(id, links);
    if (steps.every(({ columnIds }) => unique.has(columnIds.join(" "))))
      return { rootId: id, steps };
  }
  const isOne = (end: LinkEnd) => unique.has(keyOfEnd(end));
  const finest = [...new Set(between.map(({ id }) => id))].filter((id) =>
    links.every(([one, other]) => {
      if (one.dataset.id === id) return !isOne(one) || isOne(other);
      return other.dataset.id !== id || !isOne(other) || isOne(one);
    }),
  );
  throw notJoinable(
    path,
    `several rows of each of ${finest.join(", ")} match the same row of a dataset between them, so measures would count rows more than once. Send one query for each of ${finest.join(", ")}`,
  );
}

/** Lists the joins of a tree, starting at its root. */
export function stepsFrom(rootId: string, links: readonly DatasetLink[]): readonly JoinStep[] {
  const steps: JoinStep[] = [];
  const reached = new Set([rootId]);
  for (const id of reached)
    for (const [one, other] of links) {
      const [from, to] = one.dataset.id === id ? [one, other] : [other, one];
      if (from.dataset.id !== id || reached.has(to.dataset.id)) continue;
      reached.add(to.dataset.id);
      steps.push({
        fromId: id,
        fromColumnIds: from.columns.map((column) => column.id),
        datasetId: to.dataset.id,
        columnIds: to.columns.map((column) => column.id),
      });
    }
  return steps;
}
