import type { ChartColumn } from "../answer/chartColumn.ts";
import { fillIn } from "../words/templates.ts";
import { wordsOf } from "../words/wordsOf.ts";
import type { ChartItem } from "../item/item.ts";
import { objectOf } from "../item/readItem.ts";
import { textIn } from "../item/textIn.ts";

/**
 * Returns the title of an item: the stored title, or a description such as "Delay by month". Empty if the options hide
 * the title, and for text items.
 */
export function titleOf(
  item: ChartItem,
  columns: readonly ChartColumn[],
  localeId: string,
): string {
  const { options, type } = item;
  if (objectOf<"title">(options.display).title === false) return "";
  const stored = textIn(options.title, localeId);
  if (stored !== "" || type === "text" || columns.length === 0) return stored;
  const { by, comma } = wordsOf(localeId);
  const isMeasure = (column: ChartColumn) => column.isNumeric && !isDimension(column);
  const measures = columns.filter(isMeasure).map(({ name }) => name);
  const dimensions = columns.filter((column) => !isMeasure(column)).map(({ name }) => name);
  const shown = (measures.length > 0 ? measures : dimensions).slice(0, 3).join(comma);
  if (measures.length === 0 || dimensions.length === 0 || type === "regular-table") return shown;
  return fillIn(by, { measures: shown, dimensions: dimensions.slice(0, 2).join(comma) });
}

function isDimension({ field }: ChartColumn): boolean {
  return field.bins !== undefined;
}
