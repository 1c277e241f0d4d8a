import type { DashboardState } from "../../charts/index.ts";
import type { CallHost } from "../host/index.ts";
import type { DashboardLook } from "./createLook.ts";
import type { DashboardEvents, ItemData } from "./dashboardEvents.ts";

/** Options of a dashboard: its contents, its look and its host. */
export interface DashboardOptions {
  readonly callHost: CallHost;
  /**
   * Returns the id of the token, from which theme, CSS, language and time zone are read; undefined if it cannot be
   * read.
   * @default the look of the token is not read
   */
  readonly ownKey?: (() => Promise<string | undefined>) | undefined;
  /**
   * Address of the host, which serves the frames of custom charts.
   * @default none: custom charts are shown as tables
   */
  readonly hostUrl?: string | undefined;
  /** Id of the dashboard to show; "" if the page gives the contents. */
  readonly dashboardId: string;
  /**
   * Contents that the page gives, instead of the contents of a stored dashboard.
   * @default the contents of the dashboard
   */
  readonly contents?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Id of the only item to show, as large as the element.
   * @default all items
   */
  readonly itemId?: string | undefined;
  /**
   * What the reader has chosen when the dashboard opens, as a `DashboardState`. Parts that do not fit are ignored, and
   * listed in the event `statechange`.
   * @default the defaults that the author set
   */
  readonly state?: unknown;
  /**
   * Whether the dashboard opens with its default view, if it has one and `state` is absent.
   * @default false: with the defaults that the author set
   */
  readonly usesDefaultView?: boolean;
  /**
   * E-mail address of the reader, to which alerts send their messages. An address in the token takes precedence.
   * @default only the address of the token
   */
  readonly email?: string | undefined;
  /** The look at the start; `setLook` changes it. */
  readonly look: DashboardLook;
  /** Called for each event of the dashboard, in order. */
  emit<Name extends keyof DashboardEvents>(name: Name, detail: DashboardEvents[Name]): void;
}

/** A dashboard shown in an element of a page. */
export interface Dashboard {
  /** Replaces the look. Items are queried again only if their data depends on the changed members. */
  setLook(look: DashboardLook): void;
  /**
   * Sets the filter of one source of the page, replacing the previous filter of that source. Without `where`, removes
   * the filter.
   */
  setFilter(source: string, where: readonly object[] | undefined, label?: string): void;
  /** Returns what the reader has chosen. */
  state(): DashboardState;
  /** Replaces what the reader has chosen; undefined restores the author's defaults. */
  setState(state: unknown): void;
  /** Queries all items again. Queries that are running are cancelled. */
  refresh(): Promise<void>;
  /** Returns the rows that an item shows. Rejects if the item does not exist or has failed. */
  getData(itemId: string): Promise<ItemData>;
  /** Creates a file of the given type, such as `png` or `csv`: of the whole dashboard, or of one item. */
  export(type: string, itemId?: string): Promise<Blob>;
  /** Removes the dashboard from the page and cancels its calls. */
  close(): void;
}
