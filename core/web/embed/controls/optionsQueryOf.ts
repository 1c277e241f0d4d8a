import type { ChartItem } from "../../charts/index.ts";
import { filteredColumn } from "../selections/index.ts";
import { formOf } from "./formOf.ts";

/** Maximum number of values that a list offers. Readers find others by searching. */
export const mostOptions = 1_000;

/** Returns the query for the values that a control offers; undefined for controls that offer none. */
export function optionsQueryOf(item: ChartItem, where: readonly unknown[]): object | undefined {
  const [field] = item.fields;
  if (field?.columnId === undefined) return undefined;
  const column = filteredColumn(field);
  const rest = { ...(where.length > 0 && { where }) };
  const form = formOf(item);
  if (form === "list" || form === "choice")
    return {
      dimensions: [column],
      order: [{ ...column, order: "asc" }],
      limit: { by: mostOptions },
      ...rest,
    };
  if (form === "range")
    return {
      measures: ["min", "max"].map((type) => ({ ...column, aggregation: { type } })),
      ...rest,
    };
  return undefined;
}
