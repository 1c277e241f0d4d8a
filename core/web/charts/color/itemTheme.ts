import type { ChartItem } from "../item/item.ts";
import { isObject, objectOf } from "../item/readItem.ts";
import type { ChartTheme } from "./chartTheme.ts";
import { readColor } from "./readColor.ts";
import { withGround, withSeries } from "./resolveTheme.ts";

/** Returns the theme of an item: that of its dashboard, with the background and the colours of the item's options. */
export function itemTheme({ options }: ChartItem, theme: ChartTheme): ChartTheme {
  if (!isObject(options.theme)) return theme;
  const { itemsBackground, colors } = objectOf<"itemsBackground" | "colors">(options.theme);
  const ground = readColor(itemsBackground, theme.page);
  const placed = ground === undefined ? theme : withGround(theme, ground);
  return withSeries(placed, colors);
}
