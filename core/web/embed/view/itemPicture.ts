import type {
  Beyond,
  ChartCell,
  ChartItem,
  ChartTheme,
  Colors,
  PivotTotals,
  SlotField,
} from "../../charts/index.ts";

/** The state of an item's data: loading, answered, or failed with the reason. */
export type ItemState =
  | { readonly kind: "loading" }
  | ({
      readonly kind: "answer";
      /** The fields of a row's cells, in order: `queryOf(item).fields`. */
      readonly fields: readonly SlotField[];
      readonly rows: readonly (readonly ChartCell[])[];
      /** What the answer leaves out, as sentences. */
      readonly warnings?: readonly string[];
      /** The totals of a table, if its options ask for them, as `totalsOf` returns them. */
      readonly totals?: readonly ChartCell[];
      /** The totals of a pivot table, if its options ask for them. */
      readonly pivotTotals?: PivotTotals;
    } & Beyond)
  | {
      readonly kind: "failed";
      /** The message that the reader sees. */
      readonly message: string;
      readonly requestId?: string;
    };

/** Everything that an item view needs to draw an item. */
export interface ItemPicture {
  readonly item: ChartItem;
  readonly state: ItemState;
  readonly theme: ChartTheme;
  /** The series colours. The items of a dashboard share them, so that a value has the same colour in every item. */
  readonly colors: Colors;
  readonly localeId: string;
  readonly timezoneId: string;
  /** The values that are selected in a filter item. */
  readonly selected?: readonly string[];
  /** Indexes of the chosen rows in the answer. All marks of other rows fade. */
  readonly chosenRows?: ReadonlySet<number>;
}
