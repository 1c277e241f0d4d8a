import {
  daysBefore,
  type ChartItem,
  type ComparedPeriod,
  type Comparison,
  type ControlValue,
  type DateRange,
  type NamedComparison,
} from "../../charts/index.ts";

type Shift = Pick<ComparedPeriod, "level" | "quantity">;

const periods: Readonly<Record<Exclude<NamedComparison, "none">, Shift>> = {
  period: { level: 0, quantity: 1 },
  year: { level: 1, quantity: 1 },
};
const dayLevel = 5;

/** Returns the period with which a reader compares the dates of a control; undefined without a comparison. */
export function comparedPeriodOf(
  { fields: [field] }: ChartItem,
  value: ControlValue,
): ComparedPeriod | undefined {
  if (field?.columnId === undefined || field.datasetId === undefined) return undefined;
  const shift = "range" in value ? shiftOf(value.range, value.compare) : undefined;
  return shift && { dataset_id: field.datasetId, column_id: field.columnId, ...shift };
}

function shiftOf(range: DateRange, compare: Comparison = "none"): Shift | undefined {
  if (compare === "none") return undefined;
  if (typeof compare === "string") return periods[compare];
  const quantity = daysBefore(range, compare.from);
  return quantity === undefined ? undefined : { level: dayLevel, quantity };
}
