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
  throw notJoinable(path, whyRootless(finestOf(links, unique)));
}

/**
 * Returns the tree of datasets of which none has the finest rows, because several datasets have several rows for one
 * row of a dataset between them. Undefined if rows match many to many.
 */
export function treeWithoutRoot(
  links: readonly DatasetLink[],
  unique: ReadonlySet<string>,
  preferred: readonly QueriedDataset[],
): JoinTree | undefined {
  const [first] = preferred;
  const isTorn = links.some((link) => link.every((end) => !unique.has(keyOfEnd(end))));
  if (!first || isTorn) return undefined;
  return {
    rootId: first.id,
    rootless: whyRootless(finestOf(links, unique)),
    steps: stepsFrom(first.id, links).map((step) => ({
      ...step,
      ...(!unique.has(step.columnIds.join(" ")) && { isMany: true as const }),
      ...(unique.has(step.fromColumnIds.join(" ")) && { isOneBack: true as const }),
    })),
  };
}

function whyRootless(finest: readonly string[]): string {
  const all = finest.join(", ");
  return `several rows of each of ${all} match the same row of a dataset between them, so their rows cannot be combined. Group and filter by columns of the datasets between them, or send one query for each of ${all}`;
}

/** Lists the datasets that have several rows for one row of each dataset linked to them. */
function finestOf(links: readonly DatasetLink[], unique: ReadonlySet<string>): readonly string[] {
  const isOne = (end: LinkEnd) => unique.has(keyOfEnd(end));
  const linked = new Set(links.flatMap((link) => link.map(({ dataset }) => dataset.id)));
  return [...linked].filter((id) =>
    links.every(([one, other]) => {
      if (one.dataset.id === id) return !isOne(one) || isOne(other);
      return other.dataset.id !== id || !isOne(other) || isOne(one);
    }),
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
