import type { SlotField, DashboardState, ChartCell } from "../../charts/index.ts";
import type { CustomEventDetail } from "../menu/index.ts";

/** Events that a dashboard sends to its page, by name. */
export interface DashboardEvents {
  /** The contents have loaded, and the items are loading. */
  readonly ready: { readonly dashboardId: string; readonly itemIds: readonly string[] };
  /** An item shows its answer. `rowCount` is the number of rows in the answer. */
  readonly load: { readonly itemId: string; readonly rowCount: number };
  /** The filters of the reader changed. `filters` lists all of them with their sources. */
  readonly filter: {
    readonly filters: readonly {
      readonly source: string;
      readonly label: string;
      readonly where: readonly object[];
    }[];
  };
  /**
   * The reader changed a choice, or the dashboard applied a state. Only then, `ignored` lists the parts of that state
   * that do not fit the dashboard, as paths such as `selections.sales`.
   */
  readonly statechange: { readonly state: DashboardState; readonly ignored?: readonly string[] };
  /** An item shows a finer or coarser datetime level: from 1 (year) to 9 (millisecond). */
  readonly drill: { readonly itemId: string; readonly level: number };
  /**
   * Something could not be loaded: an item, or the whole dashboard if `itemId` is absent. `status` is 0 if the host did
   * not answer.
   */
  readonly error: {
    readonly itemId?: string;
    readonly message: string;
    readonly status: number;
    readonly requestId?: string;
  };
  /** The reader chose a mark and one of the events that the item's options define. */
  readonly customevent: CustomEventDetail;
  /** The reader created an alert on an item. */
  readonly alert: { readonly itemId: string; readonly alertId: string };
  /** A file was created: of an item, or of the whole dashboard if `itemId` is absent. */
  readonly export: { readonly itemId?: string; readonly type: string; readonly file: Blob };
}

/** The answer of an item, as `getData` returns it. */
export interface ItemData {
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** The totals row, with a cell for each field; absent for a table without totals. */
  readonly totals?: readonly ChartCell[];
}
