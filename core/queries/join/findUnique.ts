import type { BatchColumn } from "../../../plugins/protocol/index.ts";
import type { Reference } from "../parsedQuery.ts";
import type { RunSubquery } from "../subquery/runSubqueries.ts";
import { keyOfEnd, type LinkEnd } from "./findLinks.ts";

/**
 * Counts the values of linked columns. Returns, by key (`keyOfEnd`), whether the key is unique in the rows that
 * `countValues` counts: rows with null in the key may repeat it, but no others. Runs one subquery per dataset, in
 * parallel.
 */
export async function findUnique(
  ends: readonly LinkEnd[],
  path: string,
  countValues: RunSubquery,
): Promise<ReadonlyMap<string, boolean>> {
  const byDataset = Map.groupBy(ends, ({ dataset }) => dataset.roleOf ?? dataset.id);
  const counted = await Promise.all(
    [...byDataset].map(async ([datasetId, some]) => {
      const keys = new Map(some.map((end) => [keyOfEnd(end), end]));
      const measures = [...keys.values()].flatMap((end) =>
        (["count", "distinctcount"] as const).map((aggregation): Reference => ({
          path,
          datasetId,
          ...valueOf(end, datasetId),
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
      return [...keys.keys()].map(
        (key, index) =>
          [key, countIn(columns[index * 2]) === countIn(columns[index * 2 + 1])] as const,
      );
    }),
  );
  return new Map(counted.flat());
}

/**
 * Returns the value to count: the column, or for a key of several columns a string that is equal for equal keys, and
 * null if one of the columns is null. Strings are written with their length, so that different keys differ.
 */
function valueOf(
  { columns }: LinkEnd,
  datasetId: string,
): Pick<Reference, "columnId" | "expression"> {
  const [first, ...others] = columns;
  if (first && others.length === 0) return { columnId: first.id };
  const parts = columns.map(({ id, type }) => {
    const column = `{${datasetId}:${id}}`;
    return type === "hierarchy"
      ? `cast(length(${column}) as text) || ':' || ${column}`
      : `cast(${column} as text)`;
  });
  const expression = parts.join(" || ',' || ");
  return { columnId: expression, expression };
}

function countIn(vector: BatchColumn | undefined): number {
  const count = vector?.type === "numeric" ? vector.values[0] : undefined;
  if (count === undefined || Number.isNaN(count)) throw new TypeError("a count must be a number");
  return count;
}
