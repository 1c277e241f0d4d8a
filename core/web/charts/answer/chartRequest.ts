import type { ChartTheme } from "../color/chartTheme.ts";
import type { Colors } from "../color/createColors.ts";
import type { ChartItem, SlotField } from "../item/item.ts";

/** A cell of an answer of the data service. */
export type ChartCell =
  | number
  | string
  | null
  | {
      readonly id: string;
      readonly name: Readonly<Record<string, string>>;
      readonly color?: string;
    };

/** Totals of a pivot table. Each row has a cell for each field of the item: null where it has no value of it. */
export interface PivotTotals {
  /** One for each combination of the row slot: over all columns. */
  readonly down: readonly (readonly ChartCell[])[];
  /** One for each combination of the column slot: over all rows. */
  readonly across: readonly (readonly ChartCell[])[];
  /** One: over all. */
  readonly grand: readonly (readonly ChartCell[])[];
}

/** The input of a picture. */
export interface ChartRequest {
  readonly item: ChartItem;
  /** The fields of the cells of a row, in their order: `queryOf(item).fields`. */
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** The totals of a table, a cell for each field: `totalsOf`. */
  readonly totals?: readonly ChartCell[];
  /** The totals of a pivot table: `pivotTotalsOf`. */
  readonly pivotTotals?: PivotTotals;
  readonly theme: ChartTheme;
  /** Shared by the items of a dashboard. */
  readonly colors: Colors;
  readonly width: number;
  readonly height: number;
  readonly localeId: string;
  /** Instants are shown on the clock of this zone; dates without time are never shifted. */
  readonly timezoneId: string;
  /** The values to which a filter item is set. */
  readonly selected?: readonly string[];
  /** The ids of the series that the legend has switched off; they keep their place and colour in it. */
  readonly hiddenSeries?: ReadonlySet<string>;
  /** Why there are no rows, when the item could not be loaded: shown in their place. */
  readonly failure?: string;
}
