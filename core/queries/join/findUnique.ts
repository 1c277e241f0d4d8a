import type { BatchColumn } from "../../../plugins/protocol/index.ts";
import type { LinkEnd } from "./findLinks.ts";
import type { RunSubquery } from "../subquery/runSubqueries.ts";

/**
 * Counts the values of linked columns. Returns by column id whether no value except null is repeated in the rows that
 * `countValues` counts. Runs one subquery per dataset, in parallel.
 */
export async function findUnique(
  ends: readonly LinkEnd[],
  path: string,
  countValues: RunSubquery,
): Promise<ReadonlyMap<string, boolean>> {
  const columnsOf = new Map<string, Set<string>>();
  for (const { dataset, column } of ends)
    columnsOf.set(dataset.id, (columnsOf.get(dataset.id) ?? new Set()).add(column.id));
  const counted = await Promise.all(
    [...columnsOf].map(async ([datasetId, ids]) => {
      const columnIds = [...ids];
      const measures = columnIds.flatMap((columnId) =>
        (["count", "distinctcount"] as const).map((aggregation) => ({
          path,
          columnId,
          datasetId,
          level: undefined,
          aggregation,
        })),
      );
      const { columns } = await countValues({
        path,
        dimensions: [],
        measures,
        where: [],
        having: [],
        order: [],
        limit: undefined,
        rollup: true,
        timezoneId: undefined,
      });
      return columnIds.map(
        (columnId, index) =>
          [columnId, countIn(columns[index * 2]) === countIn(columns[index * 2 + 1])] as const,
      );
    }),
  );
  return new Map(counted.flat());
}

function countIn(vector: BatchColumn | undefined): number {
  const count = vector?.type === "numeric" ? vector.values[0] : undefined;
  if (count === undefined || Number.isNaN(count)) throw new TypeError("a count must be a number");
  return count;
}
