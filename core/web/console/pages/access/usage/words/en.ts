/** The words in English. */
export const words = {
  title: "Usage",
  intro:
    "The usage of your organization across all people, tokens and hosts. The operator of the host sets the limits.",
  again: "Refresh",
  names: {
    rows: "Rows in datasets",
    bytes: "Size of pushed values",
    queries: "Concurrent queries",
    scanned_rows: "Rows read by queries",
    pushes: "Pushes",
    jobs: "Jobs: alerts, sent dashboards, exports, plugin checks",
    ai_tokens: "Assistant tokens",
  },
  spans: { stored: "in total", now: "now", minute: "this minute", day: "today, UTC" },
  used: (used: string, hard: string): string => `${used} of ${hard}`,
  noLimit: "no limit",
  states: { within: "Within the limit", soft: "Above the warning level", hard: "At the limit" },
  soft: (soft: string): string => `Warning above ${soft}`,
  refused: "Further use is refused.",
  resets: (time: string): string => `Resets at ${time}.`,
  stays: "Delete rows or datasets, or ask the operator of the host for a higher limit.",
  waits: "Further queries wait until others have finished.",
  activity: "People and activity",
  activityIntro:
    "Each person counts once per row, however often they came and whichever host answered. Months are in UTC.",
  ofDashboard: (name: string): string => `Only the dashboard ${name}.`,
  ofAll: "Show everything",
  by: "Divide by",
  month: "Month",
  parts: {
    month: "Month",
    suborganization: "Suborganization",
    integration: "Integration",
    dashboard: "Dashboard",
    viewer: "Person",
  },
  none: {
    month: "–",
    suborganization: "Whole organization",
    integration: "No integration",
    dashboard: "No dashboard",
    viewer: "Somebody who was deleted, or whom you cannot see",
  },
  acts: {
    viewer_count: "People",
    view_count: "Dashboard views",
    question_count: "Questions",
    export_count: "Exports",
    model_call_count: "Model calls",
  },
  noActivity: "No activity in this month",
  noActivityText: "Views, questions, exports and calls of the model appear here within seconds.",
  cut: (shown: number, count: number): string =>
    `The first ${shown} of ${count} rows. The API returns all of them.`,
  lost: (count: string): string =>
    `${count} acts could not be counted, because too many waited for the catalog.`,
  bar: (name: string, used: string, hard: string, soft: string): string =>
    `${name}: ${used} of ${hard} used, warning above ${soft}`,
};

/** The words of this table in one language. */
export type Words = typeof words;
