/** The words in English. */
export const words = {
  saveTitle: "Save to a dashboard",
  dashboard: "Dashboard",
  newDashboard: "New dashboard",
  dashboardName: "Dashboard name",
  chartTitle: "Chart title",
  saveAction: "Save chart",
};

/** The words of this table in one language. */
export type SavingWords = typeof words;
