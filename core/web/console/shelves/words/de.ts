import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  searchColumns: "Spalten suchen",
  kinds: { datetime: "Zeit", hierarchy: "Kategorien", numeric: "Zahlen" },
  countRows: "Anzahl der Zeilen",
  shelves: { rows: "Zeilen", color: "Farbe", measures: "Werte", filters: "Filter" },
  calculation: "Zeigen als…",
  value: "Wert",
  addColumn: "Spalte hinzufügen",
  addColumnTo: (shelf: string) => `Spalte zu ${shelf} hinzufügen`,
  about: (column: string) => `Über ${column}`,
  profile: (rows: string, distinct: string) => `${rows}, ${distinct} verschiedene Werte.`,
  empty: (count: string) => `${count} leer.`,
  row: "Zeile",
  rows: "Zeilen",
  commonValues: "Häufigste Werte",
  distribution: "Verteilung",
  noValue: "Kein Wert",
  addTo: (column: string) => `${column} hinzufügen zu`,
  remove: (column: string) => `${column} entfernen`,
  change: (column: string) => `${column} ändern`,
  levels: ["", "Jahr", "Quartal", "Monat", "Woche", "Tag", "Stunde", "Minute", "Sekunde"],
  bin: (from: string, to: string, rows: string) => `${from} – ${to}: ${rows}`,
  described: (column: string, description: string) => `${column}: ${description}`,
  moreColumns: (count: string) => `${count} weitere. Über die Suche finden Sie sie.`,
};
