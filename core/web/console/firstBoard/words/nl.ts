import { counted } from "../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  boardName: (dataset) => `Overzicht van ${dataset}`,
  place: "plaats",
  rows: "Rijen",
  latestRows: "Nieuwste rijen",
  aggregated: {
    sum: (column) => `Totaal ${column}`,
    average: (column) => `Gemiddelde ${column}`,
    median: (column) => `Mediaan van ${column}`,
    min: (column) => `Laagste ${column}`,
    max: (column) => `Hoogste ${column}`,
  },
  share: (column) => `Aandeel ${column}`,
  distinct: (column) => `Aantal verschillende waarden van ${column}`,
  by: (measure, dimension) => `${measure} per ${dimension}`,
  byTwo: (measure, one, other) => `${measure} per ${one} en ${other}`,
  topOf: (count, measure, dimension) => `${measure} per ${dimension}, top ${count}`,
  distribution: (column) => `Verdeling van ${column}`,
  before: (title, day) => `${title}, vóór ${day}`,
  periods: {
    1: "jaar",
    2: "kwartaal",
    3: "maand",
    4: "week",
    5: "dag",
    6: "uur",
    7: "minuut",
    8: "seconde",
  },
  made: (items) =>
    `${counted(items, "grafiek", "grafieken")} gemaakt op basis van de gegevens. Kies Bewerken om ze te wijzigen.`,
  cut: (shown, all) =>
    `De grafieken gebruiken de eerste ${shown} van ${counted(all, "kolom", "kolommen")}.`,
  undone: "Het dashboard is verwijderd.",
  noRows: "Er is nog niets te zien: de dataset heeft geen rijen.",
};
