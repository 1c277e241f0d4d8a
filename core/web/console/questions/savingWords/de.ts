import type { SavingWords } from "./en.ts";

/** The words in German. */
export const words: SavingWords = {
  saveTitle: "In einem Dashboard speichern",
  dashboard: "Dashboard",
  newDashboard: "Neues Dashboard",
  dashboardName: "Name des Dashboards",
  chartTitle: "Titel des Diagramms",
  saveAction: "Diagramm speichern",
};
