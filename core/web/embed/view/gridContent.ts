import type { ChartCell, ChartItem, ChartTheme, Colors, SlotField } from "../../charts/index.ts";

/** Everything that a table on a page shows: the item, its rows and totals, and the reader's language and time zone. */
export interface GridContent {
  readonly name: string;
  /** The item, whose options determine pinned columns and the look of cells. */
  readonly item: ChartItem;
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** The totals row, which stays above the rows in every sort order; undefined for a table without totals. */
  readonly totals: readonly ChartCell[] | undefined;
  /** Whether the host sorts, because the rows are not all rows. */
  readonly isSortedByHost: boolean;
  readonly theme: ChartTheme;
  readonly colors: Colors;
  readonly localeId: string;
  readonly timezoneId: string;
}
