import type { OptionName } from "./itemOptions.ts";
import type { Stored } from "./stored.ts";

/** A string by language, or one string for all languages. */
export type StoredText = string | Readonly<Record<string, unknown>> | null;

/** The types of columns, as the protocol names them. */
export const fieldTypes = ["numeric", "hierarchy", "datetime"] as const;

/** A column or formula in a slot of an item. The member names are those of common stored dashboards. */
export interface SlotField {
  readonly slot: string;
  /** Id of the slot content. Options of a table refer to its column by this id. */
  readonly id?: string;
  readonly type: (typeof fieldTypes)[number];
  readonly subtype?: string;
  readonly label?: StoredText;
  readonly datasetId?: string;
  readonly columnId?: string;
  readonly formulaId?: string;
  /** The expression of a formula that is not stored as a record. */
  readonly formula?: string;
  /** A D3 format. */
  readonly format?: string;
  readonly currency?: string;
  readonly color?: string;
  readonly aggregation?: string;
  readonly weight?: { readonly datasetId: string; readonly columnId: string };
  /** How the host computes the measure from all groups: compared with an earlier period, as a share or as a rank. */
  readonly calculation?: FieldCalculation;
  /** Datetime level: 1 (year) to 9 (millisecond). */
  readonly level?: number;
  /** The finest level to which readers can drill down. */
  readonly lowestLevel?: number;
  /** Number of bins; absent if values are not binned. */
  readonly bins?: number;
  /** Whether a pivot table shows totals over the values of this column. */
  readonly hasTotals?: boolean;
}

/** A calculation of a measure, in the format of the data service. */
export interface FieldCalculation {
  readonly type: CalculationType;
  /** Datetime level of the earlier period; 0 for the length of the filtered range. */
  readonly level?: number;
  readonly quantity?: number;
  readonly period_to_date?: boolean;
  readonly dataset_id?: string;
  readonly column_id?: string;
  /** For ranks: whether the largest or the smallest value has the rank 1. */
  readonly order?: "asc" | "desc";
}

/** The calculations of the data service, which the chart of a measure can show. */
export const calculationTypes = [
  "past",
  "absolute_change",
  "percentage_change",
  "share_of_total",
  "rank",
] as const;

/** The name of a calculation. */
export type CalculationType = (typeof calculationTypes)[number];

/** A dashboard item, read from its stored form. */
export interface ChartItem {
  readonly id: string;
  /** The stored type, such as `column-chart`. It may be unknown. */
  readonly type: string;
  readonly options: Stored<OptionName>;
  readonly fields: readonly SlotField[];
  /** The slots whose content readers can change; absent for none. */
  readonly pickers?: readonly Picker[];
}

/** A slot whose content readers can change. */
export interface Picker {
  readonly slot: string;
  /** The columns and formulas that the slot can contain instead, without duplicates. */
  readonly choices: readonly SlotField[];
}
