import { chooseWords, counted } from "../../language/index.ts";

/** The words of the page. */
export const words = chooseWords({
  en: {
    title: "Home",
    welcome: (name: string) => `Welcome, ${name}`,
    needsYou: "Needs you",
    allWell: "Nothing is late or broken.",
    dashboards: "Dashboards",
    datasets: "Datasets",
    alerts: "Alerts",
    all: "Show all",
    noDashboards: "No dashboards yet.",
    noAlerts: "No alerts yet.",
    startDashboard: "Ask something, and save the chart",
    rows: (count: number) => counted(count, "row", "rows"),
    changed: (ago: string) => `changed ${ago}`,
    problems: {
      alert: "Alert failed",
      firing: "Alert fires",
      account: "Connection refused",
      sync: "Not synchronized",
      channel: "Channel paused",
    },
    begin: "Bring your first data",
    beginText: "Three ways in. Each ends with a dataset that you can ask at once.",
    ways: [
      {
        title: "Upload a file",
        text: "CSV, XLSX, Parquet or JSON. You see the types before anything is stored.",
        action: "Upload a file",
        href: "/data/upload",
      },
      {
        title: "Connect a source",
        text: "PostgreSQL, MySQL, ClickHouse, DuckDB, files, an API, or a plugin of your own.",
        action: "Connect a source",
        href: "/data/connect",
      },
    ],
    push: "Push by API",
    pushText: "Types are detected. An API token of yours fills in the line.",
    makePair: "Make an API token",
    copy: "Copy",
  },
});
