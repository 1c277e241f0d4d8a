import type {
  ChartCell,
  ChartItem,
  ChartTheme,
  Colors,
  PivotTotals,
  SlotField,
} from "../../charts/index.ts";

/** The state of an item's answer. */
export type ItemState =
  | { readonly kind: "loading" }
  | {
      readonly kind: "answer";
      /** The fields of the cells of a row: `queryOf(item).fields`. */
      readonly fields: readonly SlotField[];
      readonly rows: readonly (readonly ChartCell[])[];
      /** The totals of a table, where its options ask for them: `totalsOf`. */
      readonly totals?: readonly ChartCell[];
      /** The totals of a pivot table. */
      readonly pivotTotals?: PivotTotals;
    }
  | {
      readonly kind: "failed";
      /** Shown to the reader. */
      readonly message: string;
      readonly requestId?: string;
    };

/** All that an item view draws. */
export interface ItemPicture {
  readonly item: ChartItem;
  readonly state: ItemState;
  readonly theme: ChartTheme;
  /** Shared by the items of a dashboard, so that a value has one colour. */
  readonly colors: Colors;
  readonly localeId: string;
  readonly timezoneId: string;
  /** The values to which a filter item is set. */
  readonly selected?: readonly string[];
  /** Rows of the answer that the reader chose; the marks of others fade. */
  readonly chosenRows?: ReadonlySet<number>;
}
