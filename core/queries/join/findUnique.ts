import type { BatchColumn } from "../../../plugins/protocol/index.ts";
import type { DatasetLink } from "./findLinks.ts";
import type { AskSubquery } from "../subquery/evaluateSubqueries.ts";

/**
 * Returns the ids of the linked columns without repeated values, null aside, among the rows that
 * `countValues` counts. One subquery per dataset, side by side.
 */
export async function findUnique(
  links: readonly DatasetLink[],
  path: string,
  countValues: AskSubquery,
): Promise<ReadonlySet<string>> {
  const columnsOf = new Map<string, Set<string>>();
  for (const { dataset, column } of links.flat())
    columnsOf.set(dataset.id, (columnsOf.get(dataset.id) ?? new Set()).add(column.id));
  const unique = await Promise.all(
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
      return columnIds.filter(
        (_, index) => countIn(columns[index * 2]) === countIn(columns[index * 2 + 1]),
      );
    }),
  );
  return new Set(unique.flat());
}

function countIn(vector: BatchColumn | undefined): number {
  const count = vector?.type === "numeric" ? vector.values[0] : undefined;
  if (count === undefined || Number.isNaN(count)) throw new TypeError("a count is no number");
  return count;
}
