import type { ChartItem, SlotField } from "./item.ts";

/**
 * Returns the first datetime by which an item groups, whose level readers can change; undefined if the item groups by
 * no datetime.
 */
export function drilledField({ fields }: ChartItem): SlotField | undefined {
  return fields.find(
    ({ type, level, aggregation }) =>
      type === "datetime" && level !== undefined && aggregation === undefined,
  );
}

/** Returns an item that groups its first datetime at `level`, from 1 (year) to 9 (millisecond). */
export function atLevel(item: ChartItem, level: number | undefined): ChartItem {
  const drilled = drilledField(item);
  if (level === undefined || !drilled) return item;
  return {
    ...item,
    fields: item.fields.map((field) => (field === drilled ? { ...field, level } : field)),
  };
}
