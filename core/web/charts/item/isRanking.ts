import type { ChartItem } from "./item.ts";
import { limitOf } from "./queryOf.ts";
import { objectOf } from "./readItem.ts";

/** Returns whether an item shows the first rows of its own order. Another order would make it another item. */
export function isRanking(item: ChartItem): boolean {
  return limitOf(item) !== undefined && objectOf<"by">(item.options.sort).by !== undefined;
}
