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
  /** Datetime level: 1 (year) to 9 (millisecond). */
  readonly level?: number;
  /** The finest level to which readers can drill down. */
  readonly lowestLevel?: number;
  /** Number of bins; absent if values are not binned. */
  readonly bins?: number;
}

/** A dashboard item, read from its stored form. */
export interface ChartItem {
  readonly id: string;
  /** The stored type, such as `column-chart`. It may be unknown. */
  readonly type: string;
  readonly options: Stored<OptionName>;
  readonly fields: readonly SlotField[];
}
