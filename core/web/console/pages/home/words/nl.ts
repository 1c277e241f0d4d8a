import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  title: "Home",
  welcome: (name: string) => `Welkom, ${name}`,
  needsYou: "Vraagt je aandacht",
  allWell: "Niets vraagt je aandacht.",
  recents: "Onlangs geopend",
  recentKinds: { dashboard: "Dashboard", dataset: "Dataset", alert: "Waarschuwing" },
  favorites: "Favorieten",
  favoriteDatasets: "Favoriete datasets",
  dashboards: "Dashboards",
  datasets: "Datasets",
  alerts: "Waarschuwingen",
  all: "Alles tonen",
  allOf: (list: string) => `Alles tonen: ${list}`,
  noDashboards: "Nog geen dashboards.",
  noAlerts: "Nog geen waarschuwingen.",
  startDashboard: "Maak er een van een dataset",
  rows: (count: number) => counted(count, "rij", "rijen"),
  changed: (ago: string) => `gewijzigd ${ago}`,
  problems: {
    alert: "Waarschuwing mislukt",
    firing: "Waarschuwing actief",
    account: "Verbinding geweigerd",
    sync: "Niet gesynchroniseerd",
    channel: "Kanaal gepauzeerd",
  },
  begin: "Voeg je eerste gegevens toe",
  beginText:
    "Er zijn drie manieren om gegevens toe te voegen. Elke manier levert een dataset op die je meteen kunt verkennen.",
  ways: [
    {
      title: "Een bestand importeren",
      text: "CSV, XLSX, Parquet of JSON. Kies een bestand, of sleep het naar een willekeurige plek op de pagina. Je controleert de kolomtypen voordat er iets wordt opgeslagen.",
      action: "Bestand importeren",
      href: "/data/upload",
    },
    {
      title: "Een bron verbinden",
      text: "PostgreSQL, MySQL, ClickHouse, DuckDB, bestanden, een API of je eigen plugin.",
      action: "Bron verbinden",
      href: "/data/connect",
    },
  ],
  push: "Gegevens sturen via de API",
  pushText:
    "De host herkent de kolomtypen. Maak een API-token om de opdracht hieronder in te vullen.",
  makePair: "API-token maken",
  copy: "Kopiëren",
};
