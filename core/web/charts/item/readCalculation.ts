import { calculationTypes, type CalculationType, type FieldCalculation } from "./item.ts";
import { isWhole } from "./isWhole.ts";
import type { Stored } from "./stored.ts";

/** The comparisons of package `@luzmo/dashboard-contents-types` 1.0.31, by their names there. */
const comparisons: Readonly<Record<string, CalculationType>> = {
  past: "past",
  absoluteChange: "absolute_change",
  percentageChange: "percentage_change",
};

/** The calculations that compare a measure with an earlier period. */
export const comparing: ReadonlySet<string> = new Set(Object.values(comparisons));

/** The members of a stored measure that define a calculation. */
export interface StoredCalculation {
  /** The member `periodOverPeriod` of package `@luzmo/dashboard-contents-types`, and its date column. */
  readonly comparison: Stored<"type" | "level" | "quantity" | "periodToDate">;
  readonly column: Stored<"id" | "columnId" | "datasetId">;
  /** The member `calculation`, for a share or a rank. */
  readonly calculation: Stored<"type" | "order">;
}

/** Reads the calculation of a stored measure. Undefined if there is none. */
export function readCalculation({
  comparison: stored,
  column,
  calculation: own,
}: StoredCalculation): FieldCalculation | undefined {
  const type = calculationTypes.find((each) => each === own.type);
  if (type === "rank") return { type, order: own.order === "asc" ? "asc" : "desc" };
  if (type === "share_of_total") return { type };
  const name = typeof stored.type === "string" ? stored.type : "";
  const compared = Object.hasOwn(comparisons, name) ? comparisons[name] : undefined;
  if (compared === undefined) return undefined;
  const { datasetId } = column;
  const columnId = column.columnId ?? column.id;
  return {
    type: compared,
    level: wholeOf(stored.level, 0, 9) ?? 0,
    quantity: wholeOf(stored.quantity, 1, 100_000) ?? 1,
    ...(stored.periodToDate === true && { period_to_date: true }),
    ...(typeof columnId === "string" &&
      typeof datasetId === "string" && { dataset_id: datasetId, column_id: columnId }),
  };
}

function wholeOf(value: unknown, least: number, most: number): number | undefined {
  return isWhole(value, least, most) ? value : undefined;
}
