import type { Stored } from "./stored.ts";

/** A text in several languages, by language; or one text for all. */
export type StoredText = string | Readonly<Record<string, unknown>> | null;

/** The types of columns, as the protocol names them. */
export const fieldTypes = ["numeric", "hierarchy", "datetime"] as const;

/** A column or formula in a slot of an item. Names follow the dashboards of the field. */
export interface SlotField {
  readonly slot: string;
  /** The id of the content, by which options of a table name its column. */
  readonly id?: string;
  readonly type: (typeof fieldTypes)[number];
  readonly subtype?: string;
  readonly label?: StoredText;
  readonly datasetId?: string;
  readonly columnId?: string;
  readonly formulaId?: string;
  /** The text of a formula that is not stored. */
  readonly formula?: string;
  /** A format of D3. */
  readonly format?: string;
  readonly currency?: string;
  readonly color?: string;
  readonly aggregation?: string;
  readonly weight?: { readonly datasetId: string; readonly columnId: string };
  /** 1 year to 9 millisecond. */
  readonly level?: number;
  /** The finest level to which readers may go down. */
  readonly lowestLevel?: number;
  /** The number of bins; absent for none. */
  readonly bins?: number;
}

/** The options of items that charts read; custom charts get all of them. */
type OptionName =
  | "axis"
  | "cells"
  | "circle"
  | "columns"
  | "customChartId"
  | "display"
  | "evolutionColor"
  | "html"
  | "limit"
  | "lines"
  | "manualValues"
  | "mode"
  | "pinnedColumns"
  | "slices"
  | "sort"
  | "title"
  | "totals";

/** An item of a dashboard, read from its stored form. */
export interface ChartItem {
  readonly id: string;
  /** As stored, such as `column-chart`; it may be unknown. */
  readonly type: string;
  readonly options: Stored<OptionName>;
  readonly fields: readonly SlotField[];
}
