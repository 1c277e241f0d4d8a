import type { ChartItem } from "../item/item.ts";
import type { ItemQuery, QueriedItem } from "../item/queryOf.ts";
import type { TotalsOptions } from "../item/totalsOf.ts";
import type { ChartCell, ChartRequest, Folded, LeftOut } from "./chartRequest.ts";
import type { SendQueries } from "./sendQueries.ts";

type Row = readonly ChartCell[];

/** The filters, language and time zone of an item's queries, and what the reader changed. */
export interface FetchOptions extends TotalsOptions {
  /**
   * Maximum number of rows of the answer.
   * @default the limit of the item, or what its kind can show
   */
  readonly mostRows?: number;
  /** The order that the reader chose in a table: a cell of its rows, and the direction. */
  readonly sorting?: { readonly cell: number; readonly direction: "asc" | "desc" } | undefined;
}

/** One query of an item's first call, and what its answer is used for. */
export interface Part {
  readonly use: "rows" | "rest" | "positive" | "whole" | "total";
  readonly query: ItemQuery;
  /** Puts the answer of a total into the request. */
  readonly take?: (rows: readonly Row[]) => Pick<ChartRequest, "totals" | "pivotTotals">;
}

/** Rows that are not all rows, and what they leave out. */
export interface CutRows {
  readonly rows: readonly Row[];
  readonly leftOut?: LeftOut;
  readonly folded?: Folded;
  readonly warnings: readonly string[];
}

/** An item whose first call has been answered. */
export interface Context {
  readonly item: ChartItem;
  readonly options: FetchOptions;
  readonly send: SendQueries;
  readonly queried: QueriedItem;
  readonly most: number;
}
