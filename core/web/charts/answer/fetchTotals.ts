import type { ChartCell, ChartRequest, PivotTotals } from "./chartRequest.ts";
import type { ChartItem } from "../item/item.ts";
import { pivotTotalsOf } from "../item/pivotTotals.ts";
import type { ItemQuery } from "../item/queryOf.ts";
import { totalsOf, type TotalsOptions } from "../item/totalsOf.ts";

/**
 * Fetches the totals of a table or pivot table with `fetchRows`. Returns an empty object for an item that shows no
 * totals. Rejects as `fetchRows` does.
 */
export async function fetchTotals(
  item: ChartItem,
  options: TotalsOptions,
  fetchRows: (query: ItemQuery) => Promise<readonly (readonly ChartCell[])[]>,
): Promise<Pick<ChartRequest, "totals" | "pivotTotals">> {
  const ofTable = totalsOf(item, options);
  if (ofTable) {
    const [row] = await fetchRows(ofTable.query);
    return row ? { totals: ofTable.place(row) } : {};
  }
  const queries = pivotTotalsOf(item, options);
  if (queries.length === 0) return {};
  const none: PivotTotals = { down: [], across: [], grand: [] };
  const totals = await Promise.all(
    queries.map(async ({ part, query, place }) => [part, (await fetchRows(query)).map(place)]),
  );
  return { pivotTotals: { ...none, ...Object.fromEntries(totals) } };
}
