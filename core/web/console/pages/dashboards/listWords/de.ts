import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Dashboards",
  text: "Diagramme, die zusammengehören, für Sie und alle, mit denen Sie sie teilen.",
  search: "Dashboards suchen",
  searchHint: "Namen, Tags, Diagramme, Spalten",
  name: "Name",
  create: "Neues Dashboard",
  createAction: "Dashboard erstellen",
  none: "Noch keine Dashboards",
  noneText:
    "Erstellen Sie eines mit einem Klick aus einem Datensatz, speichern Sie ein Diagramm aus „Erkunden“, oder beginnen Sie mit einem leeren Dashboard.",
  openData: "Daten öffnen",
  nothingFound: "Keine passenden Dashboards",
  nothingFoundText:
    "Suchen Sie nach einem Teil eines Namens, einem Tag, dem Titel eines Diagramms oder einer Spalte.",
  showAll: "Alle Dashboards anzeigen",
  count: (count) => counted(count, "Dashboard", "Dashboards"),
  more: "Mehr anzeigen",
  which: "Anzeigen",
  all: "Alle Dashboards",
  mine: "Meine Dashboards",
  favorites: "Favoriten",
  collection: (name) => `Sammlung: ${name}`,
  order: "Sortieren nach",
  orders: { changed: "Zuletzt geändert", created: "Neueste", name: "Name" },
};
