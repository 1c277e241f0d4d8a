import type { SavingWords } from "./en.ts";

/** The words in Spanish. */
export const words: SavingWords = {
  saveTitle: "Guardar en un panel",
  dashboard: "Panel",
  newDashboard: "Panel nuevo",
  dashboardName: "Nombre del panel",
  chartTitle: "Título del gráfico",
  saveAction: "Guardar gráfico",
};
