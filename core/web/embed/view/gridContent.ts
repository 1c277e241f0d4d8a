import type { ChartCell, ChartItem, ChartTheme, Colors, SlotField } from "../../charts/index.ts";

/** All that a table on a page shows. */
export interface GridContent {
  readonly name: string;
  /** Its options say which columns are pinned, and how cells look. */
  readonly item: ChartItem;
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** Shown above the rows, whatever their order. */
  readonly totals: readonly ChartCell[] | undefined;
  readonly theme: ChartTheme;
  readonly colors: Colors;
  readonly localeId: string;
  readonly timezoneId: string;
}
