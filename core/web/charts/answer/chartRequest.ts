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
  /** Totals over all columns: one for each combination of values in the row slot. */
  readonly down: readonly (readonly ChartCell[])[];
  /** Totals over all rows: one for each combination of values in the column slot. */
  readonly across: readonly (readonly ChartCell[])[];
  /** The total over all rows and columns, as a single row. */
  readonly grand: readonly (readonly ChartCell[])[];
}

/** Everything that a picture is drawn from. */
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
  /** Shared by the items of a dashboard, so that each value has the same colour everywhere. */
  readonly colors: Colors;
  readonly width: number;
  readonly height: number;
  readonly localeId: string;
  /** IANA time zone in which instants are shown. Dates without a time are never shifted. */
  readonly timezoneId: string;
  /** The values to which a filter item is set. */
  readonly selected?: readonly string[];
  /** Ids of the series that the reader switched off in the legend. They keep their position and colour there. */
  readonly hiddenSeries?: ReadonlySet<string>;
  /** Why the item could not be loaded; shown in place of its rows. */
  readonly failure?: string;
}
