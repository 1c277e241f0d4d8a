import type { SavingWords } from "./en.ts";

/** The words in French. */
export const words: SavingWords = {
  saveTitle: "Enregistrer dans un tableau de bord",
  dashboard: "Tableau de bord",
  newDashboard: "Nouveau tableau de bord",
  dashboardName: "Nom du tableau de bord",
  chartTitle: "Titre du graphique",
  saveAction: "Enregistrer le graphique",
};
