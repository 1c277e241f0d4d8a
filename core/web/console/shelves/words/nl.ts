import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  searchColumns: "Kolommen zoeken",
  kinds: { datetime: "Tijd", hierarchy: "Categorieën", numeric: "Getallen" },
  countRows: "Aantal rijen",
  shelves: { rows: "Rijen", color: "Kleur", measures: "Waarden", filters: "Filters" },
  calculation: "Tonen als…",
  value: "Waarde",
  addColumn: "Kolom toevoegen",
  addColumnTo: (shelf: string) => `Kolom toevoegen aan ${shelf}`,
  about: (column: string) => `Over ${column}`,
  profile: (rows: string, distinct: string) => `${rows}, ${distinct} verschillende waarden.`,
  empty: (count: string) => `${count} leeg.`,
  row: "rij",
  rows: "rijen",
  commonValues: "Meest voorkomende waarden",
  distribution: "Verdeling",
  noValue: "Geen waarde",
  addTo: (column: string) => `${column} toevoegen aan`,
  remove: (column: string) => `${column} verwijderen`,
  change: (column: string) => `${column} wijzigen`,
  levels: ["", "Jaar", "Kwartaal", "Maand", "Week", "Dag", "Uur", "Minuut", "Seconde"],
  bin: (from: string, to: string, rows: string) => `${from} – ${to}: ${rows}`,
  described: (column: string, description: string) => `${column}: ${description}`,
  moreColumns: (count: string) => `Nog ${count}. Zoek om ze te vinden.`,
};
