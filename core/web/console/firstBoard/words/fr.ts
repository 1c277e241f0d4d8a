import { counted, writeNumber } from "../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  boardName: (dataset) => `Vue d’ensemble de ${dataset}`,
  place: "lieu",
  rows: "Lignes",
  latestRows: "Lignes les plus récentes",
  aggregated: {
    sum: (column) => `Total ${column}`,
    average: (column) => `Moyenne ${column}`,
    median: (column) => `Médiane ${column}`,
    min: (column) => `Minimum ${column}`,
    max: (column) => `Maximum ${column}`,
  },
  share: (column) => `Part ${column}`,
  distinct: (column) => `Nombre de valeurs distinctes : ${column}`,
  by: (measure, dimension) => `${measure} par ${dimension}`,
  byTwo: (measure, one, other) => `${measure} par ${one} et ${other}`,
  topOf: (count, measure, dimension) => `${measure} par ${dimension}, top ${count}`,
  distribution: (column) => `Répartition : ${column}`,
  before: (title, day) => `${title}, avant le ${day}`,
  periods: {
    1: "année",
    2: "trimestre",
    3: "mois",
    4: "semaine",
    5: "jour",
    6: "heure",
    7: "minute",
    8: "seconde",
  },
  made: (items) =>
    `${counted(items, "graphique créé", "graphiques créés")} d’après les données. Choisissez Modifier pour les adapter.`,
  cut: (shown, all) =>
    `Les graphiques utilisent les ${shown} premières colonnes sur ${writeNumber(all)}.`,
  undone: "Le tableau de bord a été supprimé.",
  noRows: "Il n’y a encore rien à afficher : le jeu de données ne contient aucune ligne.",
};
