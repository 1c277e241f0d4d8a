import type { ComparedPeriod, Comparison, ControlValue, ChartItem } from "../../charts/index.ts";

const periods: Readonly<
  Record<Exclude<Comparison, "none">, Pick<ComparedPeriod, "level" | "quantity">>
> = {
  period: { level: 0, quantity: 1 },
  year: { level: 1, quantity: 1 },
};

/** Returns the period with which a reader compares the dates of a control; undefined without a comparison. */
export function comparedPeriodOf(
  { fields: [field] }: ChartItem,
  value: ControlValue,
): ComparedPeriod | undefined {
  const { compare = "none" } = "range" in value ? value : {};
  if (compare === "none" || field?.columnId === undefined || field.datasetId === undefined)
    return undefined;
  return { dataset_id: field.datasetId, column_id: field.columnId, ...periods[compare] };
}
