import type { ConsolePage } from "../parts/index.ts";

/** A page of the console, with its path and the module that is loaded for it. */
export interface PageEntry {
  /** First part of the path; "" for Home. All addresses that begin with this part belong to the page. */
  readonly path: string;
  /** Tag of the page's element. */
  readonly tag: string;
  /** Loads the page's module when the page is first opened. */
  load(): Promise<new () => ConsolePage>;
}

/** The pages in the order of the bar. The host serves their paths: see `pagePaths` in core/http/middleware. */
export const pages = [
  {
    path: "",
    tag: "console-home",
    load: async () => (await import("../pages/home/index.ts")).HomePage,
  },
  {
    path: "explore",
    tag: "console-explore",
    load: async () => (await import("../pages/explore/index.ts")).ExplorePage,
  },
  {
    path: "ask",
    tag: "console-ask",
    load: async () => (await import("../pages/ask/index.ts")).AskPage,
  },
  {
    path: "dashboards",
    tag: "console-dashboards",
    load: async () => (await import("../pages/dashboards/index.ts")).DashboardsPage,
  },
  {
    path: "data",
    tag: "console-data",
    load: async () => (await import("../pages/data/index.ts")).DataPage,
  },
  {
    path: "alerts",
    tag: "console-alerts",
    load: async () => (await import("../pages/alerts/index.ts")).AlertsPage,
  },
  {
    path: "plugins",
    tag: "console-plugins",
    load: async () => (await import("../pages/plugins/index.ts")).PluginsPage,
  },
  {
    path: "access",
    tag: "console-access",
    load: async () => (await import("../pages/access/index.ts")).AccessPage,
  },
  {
    path: "account",
    tag: "console-account",
    load: async () => (await import("../pages/account/index.ts")).AccountPage,
  },
] as const satisfies readonly PageEntry[];

export type PagePath = (typeof pages)[number]["path"];
