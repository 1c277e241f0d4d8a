import type { ChartItem, DashboardState, ItemFilters } from "../../charts/index.ts";

/** The item that an alert watches, for its reader. */
export interface AlertSubject {
  readonly item: ChartItem;
  /** All filters of the item, with those that the reader chose. */
  readonly filters: ItemFilters;
  /**
   * What the reader has chosen in the dashboard, which links in messages restore. Undefined for a dashboard that the
   * host does not store.
   */
  readonly state: DashboardState | undefined;
  readonly timezoneId: string;
  /** The e-mail address of the reader, to which the alert sends its messages. */
  readonly email: string;
  /** Creates an alert with these properties. Rejects with the failure that the dialog explains. */
  create(properties: Readonly<Record<string, unknown>>): Promise<void>;
}
