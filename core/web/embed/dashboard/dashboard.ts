import type { Ask } from "../host/index.ts";
import type { DashboardLook } from "./createLook.ts";
import type { DashboardEvents, ItemData } from "./dashboardEvents.ts";

export interface DashboardOptions {
  readonly ask: Ask;
  /** Returns the id of the token, whose theme, css, language and zone are read; undefined where it cannot be read. */
  readonly ownKey?: (() => Promise<string | undefined>) | undefined;
  /** The address of the host, which serves the frames of custom charts; without it their data show as a table. */
  readonly hostUrl?: string | undefined;
  readonly dashboardId: string;
  /** Shows one item of the dashboard, as large as the element. */
  readonly itemId?: string | undefined;
  readonly look: DashboardLook;
  emit<Name extends keyof DashboardEvents>(name: Name, detail: DashboardEvents[Name]): void;
}

/** A dashboard on a page. */
export interface Dashboard {
  setLook(look: DashboardLook): void;
  /** Replaces the filter of a source of the page; without filters it is removed. */
  setFilter(source: string, where: readonly object[] | undefined, label?: string): void;
  /** Asks for all items again; one that is asked already is asked anew. */
  refresh(): Promise<void>;
  /** Returns the rows that an item shows. Rejects for an item that is not there or failed. */
  getData(itemId: string): Promise<ItemData>;
  export(type: string, itemId?: string): Promise<Blob>;
  close(): void;
}
