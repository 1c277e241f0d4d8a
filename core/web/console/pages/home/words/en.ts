import { counted } from "../../../language/index.ts";

/** The words in English. */
export const words = {
  title: "Home",
  welcome: (name: string) => `Welcome, ${name}`,
  needsYou: "Needs your attention",
  allWell: "Nothing needs your attention.",
  recents: "Recently opened",
  recentKinds: { dashboard: "Dashboard", dataset: "Dataset", alert: "Alert" },
  favorites: "Favourites",
  favoriteDatasets: "Favourite datasets",
  dashboards: "Dashboards",
  datasets: "Datasets",
  alerts: "Alerts",
  all: "Show all",
  allOf: (list: string) => `Show all: ${list}`,
  noDashboards: "No dashboards yet.",
  noAlerts: "No alerts yet.",
  startDashboard: "Make one from a dataset",
  rows: (count: number) => counted(count, "row", "rows"),
  changed: (ago: string) => `changed ${ago}`,
  problems: {
    alert: "Alert failed",
    firing: "Alert firing",
    account: "Connection refused",
    sync: "Not synchronized",
    channel: "Channel paused",
  },
  begin: "Add your first data",
  beginText:
    "There are three ways to add data. Each gives you a dataset that you can explore right away.",
  ways: [
    {
      title: "Import a file",
      text: "CSV, XLSX, Parquet or JSON. Choose a file, or drop it anywhere on the page. You check the column types before anything is stored.",
      action: "Import a file",
      href: "/data/upload",
    },
    {
      title: "Connect a source",
      text: "PostgreSQL, MySQL, ClickHouse, DuckDB, files, an API, or your own plugin.",
      action: "Connect a source",
      href: "/data/connect",
    },
  ],
  push: "Push through the API",
  pushText: "The host detects the column types. Create an API token to fill in the command below.",
  makePair: "Create an API token",
  copy: "Copy",
};

/** The words of this table in one language. */
export type Words = typeof words;
