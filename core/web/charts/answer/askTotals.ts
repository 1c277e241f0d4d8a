import type { ChartCell, ChartRequest, PivotTotals } from "./chartRequest.ts";
import type { ChartItem } from "../item/item.ts";
import { pivotTotalsOf } from "../item/pivotTotals.ts";
import type { ItemQuery } from "../item/queryOf.ts";
import { totalsOf, type TotalsOptions } from "../item/totalsOf.ts";

/**
 * Fetches the totals of a table or pivot table whose options ask for them, with `fetchRows`. Returns an empty object
 * for other items. Rejects as `fetchRows` does.
 */
export async function askTotals(
  item: ChartItem,
  options: TotalsOptions,
  answer: (query: ItemQuery) => Promise<readonly (readonly ChartCell[])[]>,
): Promise<Pick<ChartRequest, "totals" | "pivotTotals">> {
  const ofTable = totalsOf(item, options);
  if (ofTable) {
    const [row] = await answer(ofTable.query);
    return row ? { totals: ofTable.place(row) } : {};
  }
  const questions = pivotTotalsOf(item, options);
  if (questions.length === 0) return {};
  const none: PivotTotals = { down: [], across: [], grand: [] };
  const answered = await Promise.all(
    questions.map(async ({ part, query, place }) => [part, (await answer(query)).map(place)]),
  );
  return { pivotTotals: { ...none, ...Object.fromEntries(answered) } };
}
