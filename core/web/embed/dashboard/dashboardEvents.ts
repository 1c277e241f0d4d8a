import type { ChartCell, SlotField } from "../../charts/index.ts";

/** The events of a dashboard for the page around it, by name. */
export interface DashboardEvents {
  /** The contents are there; items load. */
  readonly ready: { readonly dashboardId: string; readonly itemIds: readonly string[] };
  /** An item shows its answer. */
  readonly load: { readonly itemId: string; readonly rowCount: number };
  /** The filters of the reader changed: all of them, by their source. */
  readonly filter: {
    readonly filters: readonly {
      readonly source: string;
      readonly label: string;
      readonly where: readonly object[];
    }[];
  };
  /** An item shows a finer or a coarser level. */
  readonly drill: { readonly itemId: string; readonly level: number };
  /** Something could not be loaded; `itemId` is absent where it is the dashboard. */
  readonly error: {
    readonly itemId?: string;
    readonly message: string;
    readonly status: number;
    readonly requestId?: string;
  };
  /** A file was made. */
  readonly export: { readonly itemId?: string; readonly type: string; readonly file: Blob };
}

/** The answer of an item, as `getData` returns it. */
export interface ItemData {
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** The totals of a table that shows them, a cell for each field. */
  readonly totals?: readonly ChartCell[];
}
