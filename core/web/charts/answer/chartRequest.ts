import type { ChartTheme } from "../color/chartTheme.ts";
import type { Colors } from "../color/createColors.ts";
import type { ChartItem, SlotField } from "../item/item.ts";

/** A cell of an answer from the data service. */
export type ChartCell =
  | number
  | string
  | null
  | {
      readonly id: string;
      readonly name: Readonly<Record<string, string>>;
      readonly color?: string;
    };

/** Totals of a pivot table. Each row has a cell for each field of the item, with null where the total has no value. */
export interface PivotTotals {
  /** Totals over all columns: one row for each combination of values in the row slot. */
  readonly down: readonly (readonly ChartCell[])[];
  /** Totals over all rows: one row for each combination of values in the column slot. */
  readonly across: readonly (readonly ChartCell[])[];
  /** The total over all rows and columns, as a single row. */
  readonly grand: readonly (readonly ChartCell[])[];
}

/** The input of a picture: an item, its answer, and how to draw them. */
export interface ChartRequest {
  readonly item: ChartItem;
  /** The fields of a row's cells, in order: `queryOf(item).fields`. */
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** The totals row of a table, with a cell for each field. See `totalsOf`. */
  readonly totals?: readonly ChartCell[];
  /** The totals of a pivot table. See `pivotTotalsOf`. */
  readonly pivotTotals?: PivotTotals;
  readonly theme: ChartTheme;
  /** The series colours. The items of a dashboard share them, so that a value has the same colour in every item. */
  readonly colors: Colors;
  readonly width: number;
  readonly height: number;
  readonly localeId: string;
  /** IANA time zone in which instants are shown. Dates without a time are never shifted. */
  readonly timezoneId: string;
  /** The values that are selected in a filter item. */
  readonly selected?: readonly string[];
  /**
   * Ids of the series that the reader switched off in the legend. Their names keep their position and colour in the
   * legend.
   */
  readonly hiddenSeries?: ReadonlySet<string>;
  /** Why the item could not be loaded; shown in place of its rows. */
  readonly failure?: string;
}
