import type {
  ChartItem,
  DashboardState,
  DashboardView,
  ItemFilters,
  Picks,
} from "../../charts/index.ts";
import type { CallHost } from "../host/index.ts";
import type { Look } from "./createLook.ts";
import type { DashboardEvents } from "./dashboardEvents.ts";
import type { OpenItem } from "./openItem.ts";

/** A dashboard whose readers save files and create alerts. */
export interface FilesOptions {
  readonly callHost: CallHost;
  readonly signal: AbortSignal;
  readonly dashboardId: string;
  /** Whether the host stores the dashboard. It draws pictures only of stored items. */
  readonly isStored: boolean;
  readonly items: ReadonlyMap<string, OpenItem>;
  readonly look: Look;
  readerRegion(): { readonly timezoneId: string; readonly localeId: string };
  /** Returns all filters of an item. */
  filtersFor(itemId: string): ItemFilters;
  /** Returns the filters of an item that its stored dashboard does not contain. */
  addedFilters(item: ChartItem): readonly object[];
  /** Returns the ids of filter items whose stored filters `addedFilters` replaces. */
  replaced(): ReadonlySet<string>;
  /** Returns the values of parameters by name. */
  parameters(): Readonly<Record<string, unknown>> | undefined;
  /** Returns what the reader has chosen. */
  state(): DashboardState;
  /** Returns the level to which the reader drilled in an item. */
  levelFor(itemId: string): number | undefined;
  /** Returns what the reader chose in the pickers of an item. */
  picksFor(itemId: string): Picks;
  /** The name of the dashboard, and the view that is shown. */
  shown(): { readonly name: unknown; readonly view: DashboardView | undefined };
  emit<Name extends "export" | "alert">(name: Name, detail: DashboardEvents[Name]): void;
  onFailure(failure: unknown, itemId: string | undefined): void;
}
