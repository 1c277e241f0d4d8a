import type { ItemQuery } from "./queryOf.ts";
import { isCombinable } from "./combine.ts";
import type { SlotField } from "./item.ts";

/** A query that counts and combines the rows that the limit of another query leaves out. */
export interface RestQuery {
  readonly query: ItemQuery;
  /** Maps the answer's only row to the number of rows, and to one cell per field. */
  read<Cell>(row: readonly Cell[]): { readonly count: number; readonly cells: (Cell | null)[] };
}

/** Maximum number of rows that the host counts. Beyond, it refuses the query. */
const mostCounted = 5_000_000;

const from = "from";

/**
 * Returns a query over the rows of `query` after its first `offset` rows: their number, and for each measure that can
 * be combined its value over all of them. The host groups and sorts as in `query`, so the two together are the whole.
 * With `isPositive`, only rows whose first measure is above 0 count.
 */
export function restQuery(
  query: ItemQuery,
  fields: readonly SlotField[],
  { offset, isPositive = false }: { readonly offset: number; readonly isPositive?: boolean },
): RestQuery {
  const { limit: _, ...unlimited } = query;
  const dimensionCount = query.dimensions?.length ?? 0;
  const isRaw = query.options?.rollup_data === false;
  const cells = fields.flatMap((field, cell) =>
    cell >= dimensionCount && isCombinable(field) ? [cell] : [],
  );
  // Plain rows are counted without reading them.
  if (isRaw)
    return {
      query: {
        ...(query.where && { where: query.where }),
        dimensions: [],
        measures: [
          {
            ...(fields[0]?.datasetId !== undefined && { dataset_id: fields[0].datasetId }),
            column_id: "*",
            aggregation: { type: "count" },
          },
        ],
      },
      read: ([count]) => ({
        count: Math.max(0, Number(count) - offset),
        cells: fields.map(() => null),
      }),
    };
  const columnOf = (cell: number) => ({ dataset_id: from, column_id: `c${cell}` });
  return {
    query: {
      from: {
        query: { ...unlimited, limit: { offset, by: mostCounted } },
        columns: fields.map((_field, cell) => `c${cell}`),
      },
      dimensions: [],
      measures: [
        { dataset_id: from, column_id: "*", aggregation: { type: "count" } },
        ...cells.map((cell) => ({
          ...columnOf(cell),
          aggregation: { type: combinedBy(fields[cell]) },
        })),
      ],
      ...(isPositive && {
        where: [{ expression: "? > ?", parameters: [columnOf(dimensionCount), 0] }],
      }),
    },
    read: ([count, ...combined]) => ({
      count: Number(count),
      cells: fields.map((_field, cell) => combined[cells.indexOf(cell)] ?? null),
    }),
  };
}

/** Sums and counts of parts are added up; the smallest and the largest value stay what they are. */
function combinedBy(field: SlotField | undefined): string {
  const aggregation = field?.aggregation;
  return aggregation === "min" || aggregation === "max" ? aggregation : "sum";
}
