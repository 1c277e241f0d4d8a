import type { SavingWords } from "./en.ts";

/** The words in Dutch. */
export const words: SavingWords = {
  saveTitle: "Opslaan in een dashboard",
  dashboard: "Dashboard",
  newDashboard: "Nieuw dashboard",
  dashboardName: "Naam van het dashboard",
  chartTitle: "Titel van de grafiek",
  saveAction: "Grafiek opslaan",
};
