import type { SavingWords } from "./en.ts";

/** The words in Dutch. */
export const words: SavingWords = {
  saveTitle: "Save to a dashboard",
  dashboard: "Dashboard",
  newDashboard: "New dashboard",
  dashboardName: "Dashboard name",
  chartTitle: "Chart title",
  saveAction: "Save chart",
};
