import type { ChartItem, SlotField } from "./item.ts";
import { comparing } from "./readCalculation.ts";

/**
 * The earlier period with which a reader compares a datetime column, in the format of the data service: `level` is a
 * datetime level from 1 (year) to 8 (second), or 0 for the length of the filtered range.
 */
export interface ComparedPeriod {
  readonly dataset_id: string;
  readonly column_id: string;
  readonly level: number;
  readonly quantity: number;
}

/**
 * Returns an item whose measures are compared with the periods that a reader chose, instead of the stored ones. Only
 * measures that the item compares along one of these columns change. A measure that names no column is compared along
 * the item's only datetime, or if there is none, along the column of the reader.
 */
export function comparedItem(item: ChartItem, periods: readonly ComparedPeriod[]): ChartItem {
  if (periods.length === 0) return item;
  const datetimes = item.fields.filter(
    ({ type, calculation, aggregation }) => type === "datetime" && !calculation && !aggregation,
  );
  const columnsOf = ({ calculation, datasetId }: SlotField) =>
    calculation?.column_id !== undefined
      ? [calculation.column_id]
      : datetimes.length > 0
        ? datetimes.map(({ columnId }) => columnId)
        : periods.flatMap((each) => (each.dataset_id === datasetId ? [each.column_id] : []));
  return {
    ...item,
    fields: item.fields.map((field) => {
      const { calculation } = field;
      if (!calculation || !comparing.has(calculation.type)) return field;
      const [columnId, other] = [...new Set(columnsOf(field))];
      const period = periods.find(({ column_id: id }) => id === columnId);
      if (!period || other !== undefined) return field;
      return { ...field, calculation: { type: calculation.type, ...period } };
    }),
  };
}
