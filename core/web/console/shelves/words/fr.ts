import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  searchColumns: "Rechercher une colonne",
  kinds: { datetime: "Temps", hierarchy: "Catégories", numeric: "Nombres" },
  countRows: "Nombre de lignes",
  shelves: { rows: "Lignes", color: "Couleur", measures: "Valeurs", filters: "Filtres" },
  calculation: "Afficher comme…",
  value: "Valeur",
  addColumn: "Ajouter une colonne",
  addColumnTo: (shelf: string) => `Ajouter une colonne à ${shelf}`,
  about: (column: string) => `À propos de ${column}`,
  profile: (rows: string, distinct: string) => `${rows}, ${distinct} valeurs distinctes.`,
  empty: (count: string) => `Vides : ${count}.`,
  row: "ligne",
  rows: "lignes",
  commonValues: "Valeurs les plus fréquentes",
  distribution: "Répartition",
  noValue: "Aucune valeur",
  addTo: (column: string) => `Ajouter ${column} à`,
  remove: (column: string) => `Retirer ${column}`,
  change: (column: string) => `Modifier ${column}`,
  levels: ["", "Année", "Trimestre", "Mois", "Semaine", "Jour", "Heure", "Minute", "Seconde"],
  bin: (from: string, to: string, rows: string) => `${from} – ${to} : ${rows}`,
  described: (column: string, description: string) => `${column} : ${description}`,
  moreColumns: (count: string) => `${count} de plus. Recherchez-les par leur nom.`,
};
