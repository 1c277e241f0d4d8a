import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  title: "Dashboards",
  text: "Grafieken die bij elkaar horen, voor jezelf en voor de mensen met wie je ze deelt.",
  search: "Dashboards zoeken",
  searchHint: "Namen, tags, grafieken, kolommen",
  name: "Naam",
  create: "Nieuw dashboard",
  createAction: "Dashboard maken",
  none: "Nog geen dashboards",
  noneText:
    "Maak er met één knop een uit een dataset, sla een grafiek op vanuit Verkennen, of begin met een leeg dashboard.",
  openData: "Gegevens openen",
  nothingFound: "Geen dashboards gevonden",
  nothingFoundText:
    "Zoek op een deel van een naam, een tag, de titel van een grafiek of een kolom.",
  showAll: "Alle dashboards tonen",
  count: (count) => counted(count, "dashboard", "dashboards"),
  more: "Meer tonen",
  which: "Tonen",
  all: "Alle dashboards",
  mine: "Mijn dashboards",
  favorites: "Favorieten",
  collection: (name) => `Collectie: ${name}`,
  order: "Sorteren op",
  orders: { changed: "Laatst gewijzigd", created: "Nieuwste", name: "Naam" },
};
