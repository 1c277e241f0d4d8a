import { objectOf, type ChartItem, type SlotField } from "../../charts/index.ts";
import { filteredColumn } from "../selections/index.ts";
import { formOf } from "./formOf.ts";

/** Maximum number of values that a list offers at a time. Readers find others by searching. */
const mostOptions = 1_000;

/** Returns how many values a list offers at a time. */
export function optionCountOf({ options }: ChartItem): number {
  const { number } = objectOf<"number">(options.limit);
  return typeof number === "number" && number >= 1
    ? Math.min(Math.floor(number), mostOptions)
    : mostOptions;
}

/** Returns the query for the values that a control offers; undefined for controls that offer none. */
export function optionsQueryOf(item: ChartItem, where: readonly unknown[]): object | undefined {
  const [field] = item.fields;
  if (field?.columnId === undefined) return undefined;
  const column = filteredColumn(field);
  const rest = { ...(where.length > 0 && { where }) };
  const form = formOf(item);
  if (form === "list" || form === "choice") {
    const { direction } = objectOf<"direction">(item.options.sort);
    return {
      dimensions: [column],
      order: [{ ...column, order: direction === "desc" ? "desc" : "asc" }],
      limit: { by: optionCountOf(item) },
      ...rest,
    };
  }
  if (form === "range")
    return {
      measures: ["min", "max"].map((type) => ({ ...column, aggregation: { type } })),
      ...rest,
    };
  return undefined;
}

/** Returns the query for the number of values of a list. Missing values are not counted. */
export function countQueryOf(field: SlotField, where: readonly unknown[]): object {
  return {
    measures: [{ ...filteredColumn(field), aggregation: { type: "distinctcount" } }],
    ...(where.length > 0 && { where }),
  };
}

/** Returns the filter for a missing value. */
export const isMissing = (field: SlotField): object => ({
  expression: "? is null",
  parameters: [filteredColumn(field)],
});

/**
 * Returns the filter for the values that a text finds: strings that contain it, or the number that it writes. Undefined
 * if the host cannot search the column.
 */
export function searchFilter(field: SlotField, typed: string): object | undefined {
  const column = filteredColumn(field);
  if (field.type === "hierarchy") return { expression: "? like ?", parameters: [column, typed] };
  const number = Number(typed);
  return field.type === "numeric" && Number.isFinite(number)
    ? { expression: "? = ?", parameters: [column, number] }
    : undefined;
}
