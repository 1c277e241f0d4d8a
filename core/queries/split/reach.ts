import type { JoinStep, JoinTree } from "../parsedQuery.ts";

/** Which datasets of a join each dataset determines, because each of its rows matches at most one of their rows. */
export interface Reach {
  /** Returns whether a row of one dataset matches at most one row of the other. A dataset reaches itself. */
  has(fromId: string, toId: string): boolean;
  /**
   * Returns the dataset with the fewest rows that determines all of the given datasets. Undefined if none does. Of
   * several datasets whose rows match one to one, returns one that was given.
   */
  coarsest(ids: ReadonlySet<string>): string | undefined;
  /** Returns the same joins, starting from another dataset. */
  treeFrom(rootId: string): JoinTree;
}

/** Finds what each dataset of a join determines. O(datasets²). */
export function createReach(tree: JoinTree): Reach {
  const steps = tree.steps.flatMap((step) => [step, reversed(step)]);
  const treeFrom = (rootId: string): JoinTree => {
    const reached = new Set([rootId]);
    const found: JoinStep[] = [];
    for (const id of reached)
      for (const step of steps) {
        if (step.fromId !== id || reached.has(step.datasetId)) continue;
        reached.add(step.datasetId);
        found.push(step);
      }
    return { ...tree, rootId, steps: found };
  };
  const ids = [tree.rootId, ...tree.steps.map(({ datasetId }) => datasetId)];
  const reach = new Map(ids.map((id) => [id, reachedFrom(id, treeFrom(id).steps)]));
  const has = (from: string, to: string) => reach.get(from)?.has(to) === true;
  return {
    has,
    treeFrom,
    coarsest(wanted) {
      const fitting = ids.filter((id) => [...wanted].every((each) => has(id, each)));
      const isBelow = (id: string) => fitting.every((other) => has(other, id));
      const lowest = fitting.filter(isBelow);
      return lowest.find((id) => wanted.has(id)) ?? lowest[0];
    },
  };
}

function reachedFrom(rootId: string, steps: readonly JoinStep[]): ReadonlySet<string> {
  const reached = new Set([rootId]);
  for (const { fromId, datasetId, isMany } of steps)
    if (!isMany && reached.has(fromId)) reached.add(datasetId);
  return reached;
}

/** Returns a join in the other direction. If nothing is known about it, several rows may match. */
function reversed(step: JoinStep): JoinStep {
  return {
    fromId: step.datasetId,
    fromColumnIds: step.columnIds,
    datasetId: step.fromId,
    columnIds: step.fromColumnIds,
    ...(!step.isOneBack && { isMany: true }),
    ...(!step.isMany && { isOneBack: true }),
  };
}
