import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Startseite",
  welcome: (name: string) => `Willkommen, ${name}`,
  needsYou: "Benötigt Ihre Aufmerksamkeit",
  allWell: "Nichts benötigt Ihre Aufmerksamkeit.",
  recents: "Zuletzt geöffnet",
  recentKinds: { dashboard: "Dashboard", dataset: "Datensatz", alert: "Warnung" },
  favorites: "Favoriten",
  favoriteDatasets: "Bevorzugte Datensätze",
  dashboards: "Dashboards",
  datasets: "Datensätze",
  alerts: "Warnungen",
  all: "Alle anzeigen",
  allOf: (list: string) => `Alle anzeigen: ${list}`,
  noDashboards: "Noch keine Dashboards.",
  noAlerts: "Noch keine Warnungen.",
  startDashboard: "Aus einem Datensatz erstellen",
  rows: (count: number) => counted(count, "Zeile", "Zeilen"),
  changed: (ago: string) => `geändert ${ago}`,
  problems: {
    alert: "Warnung fehlgeschlagen",
    firing: "Warnung ausgelöst",
    account: "Verbindung abgelehnt",
    sync: "Nicht synchronisiert",
    channel: "Kanal pausiert",
  },
  begin: "Fügen Sie Ihre ersten Daten hinzu",
  beginText:
    "Es gibt drei Wege, Daten hinzuzufügen. Jeder führt zu einem Datensatz, den Sie sofort erkunden können.",
  ways: [
    {
      title: "Datei importieren",
      text: "CSV, XLSX, Parquet oder JSON. Wählen Sie eine Datei, oder legen Sie sie an einer beliebigen Stelle der Seite ab. Sie prüfen die Spaltentypen, bevor etwas gespeichert wird.",
      action: "Datei importieren",
      href: "/data/upload",
    },
    {
      title: "Quelle verbinden",
      text: "PostgreSQL, MySQL, ClickHouse, DuckDB, Dateien, eine API oder Ihr eigenes Plugin.",
      action: "Quelle verbinden",
      href: "/data/connect",
    },
  ],
  push: "Über die API senden",
  pushText:
    "Der Host erkennt die Spaltentypen. Erstellen Sie ein API-Token, um den Befehl unten auszufüllen.",
  makePair: "API-Token erstellen",
  copy: "Kopieren",
};
