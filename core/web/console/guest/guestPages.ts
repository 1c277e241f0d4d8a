import type { GuestPage } from "./guestElement.ts";

/** The pages of the console that elements show. */
export const guestPages = {
  dashboards: {
    path: "dashboards",
    tag: "console-dashboards",
    load: async () => (await import("../pages/dashboards/index.ts")).DashboardsPage,
  },
  explore: {
    path: "explore",
    tag: "console-explore",
    load: async () => (await import("../pages/explore/index.ts")).ExplorePage,
  },
  ask: {
    path: "ask",
    tag: "console-ask",
    load: async () => (await import("../pages/ask/index.ts")).AskPage,
  },
} as const satisfies Readonly<Record<string, GuestPage>>;
