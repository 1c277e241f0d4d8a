import { counted } from "../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  boardName: (dataset) => `Überblick: ${dataset}`,
  place: "Ort",
  rows: "Zeilen",
  latestRows: "Neueste Zeilen",
  aggregated: {
    sum: (column) => `Summe ${column}`,
    average: (column) => `Mittelwert ${column}`,
    median: (column) => `Median ${column}`,
    min: (column) => `Minimum ${column}`,
    max: (column) => `Maximum ${column}`,
  },
  share: (column) => `Anteil ${column}`,
  distinct: (column) => `Anzahl verschiedener Werte: ${column}`,
  by: (measure, dimension) => `${measure} nach ${dimension}`,
  byTwo: (measure, one, other) => `${measure} nach ${one} und ${other}`,
  topOf: (count, measure, dimension) => `${measure} nach ${dimension}, Top ${count}`,
  distribution: (column) => `Verteilung: ${column}`,
  before: (title, day) => `${title}, vor dem ${day}`,
  periods: {
    1: "Jahr",
    2: "Quartal",
    3: "Monat",
    4: "Woche",
    5: "Tag",
    6: "Stunde",
    7: "Minute",
    8: "Sekunde",
  },
  made: (items) =>
    `${counted(items, "Diagramm", "Diagramme")} anhand der Daten erstellt. Wählen Sie „Bearbeiten“, um sie zu ändern.`,
  cut: (shown, all) =>
    `Die Diagramme verwenden die ersten ${shown} von ${counted(all, "Spalte", "Spalten")}.`,
  undone: "Das Dashboard wurde gelöscht.",
  noRows: "Es gibt noch nichts zu sehen: Der Datensatz enthält keine Zeilen.",
};
