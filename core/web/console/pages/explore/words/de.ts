import { counted, writeNumber } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Erkunden",
  choose: "Wählen Sie einen Datensatz, den Sie erkunden möchten.",
  searchDatasets: "Datensätze suchen",
  datasets: "Datensätze",
  name: "Name",
  rowCount: "Zeilen",
  source: "Quelle",
  changed: "Geändert",
  noDatasets: "Noch keine Datensätze",
  noDatasetsText:
    "Importieren Sie eine Datei, oder verbinden Sie eine Quelle, um hier deren Spalten zu sehen.",
  noDatasetsFound: "Keine passenden Datensätze",
  addData: "Daten hinzufügen",
  gone: "Datensatz nicht gefunden",
  goneText: "Er wurde gelöscht, oder Sie haben keinen Zugriff darauf.",
  allDatasets: "Alle Datensätze",
  columns: "Spalten",
  chart: "Diagramm",
  automatic: (chosen: string) => `Automatisch (${chosen})`,
  views: { both: "Diagramm und Tabelle", chart: "Diagramm", table: "Tabelle", plan: "Plan" },
  view: "Ansicht",
  undo: "Rückgängig",
  redo: "Wiederholen",
  save: "Speichern",
  ask: "Fragen",
  alert: "Warnen",
  export: "Exportieren",
  start: "Stellen Sie eine Frage",
  startText:
    "Klicken Sie auf eine Spalte. Kategorien und Zeiten werden zu Zeilen, Zahlen werden zu Werten.",
  answer: "Antwort",
  milliseconds: (count: string) => `${count} ms`,
  requestTitle: "Die Anfrage",
  copy: "Kopieren",
  saved: (name: string) => `In ${name} gespeichert`,
  openSaved: "Öffnen",
  forDashboard: "Erstellen Sie ein Diagramm für Ihr Dashboard, und speichern Sie es.",
  backToDashboard: "Zurück zum Dashboard",
  mark: {
    rows: "Zeilen anzeigen",
    breakOut: "Aufschlüsseln nach…",
    filter: (name: string) => `Nur ${name}`,
    exclude: (name: string) => `Ohne ${name}`,
    compare: "Mit dem Rest vergleichen",
    alert: (value: string) => `Warnen über ${value}`,
  },
  why: {
    limited: (column: string) => `Ihr Zugriff ist durch ${column} eingeschränkt.`,
    visible: (count: number) =>
      count === 0
        ? "Für Sie sind keine Zeilen sichtbar."
        : `Für Sie sichtbar: ${counted(count, "Zeile", "Zeilen")}.`,
    leaves: (filter: string, left: string, count: string) =>
      `Nach „${filter}“ bleiben ${left} von ${count} übrig.`,
  },
  rowsOf: (name: string) => `Zeilen von ${name}`,
  rowsShown: (shown: number, count: number) =>
    shown < count
      ? `Die ersten ${writeNumber(shown)} von ${writeNumber(count)} Zeilen.`
      : `${counted(count, "Zeile", "Zeilen")}.`,
  columnsShown: (shown: string, count: string) => `Die ersten ${shown} von ${count} Spalten.`,
  comparisonOf: (name: string) => `${name} und der Rest`,
  rest: "Der Rest",
  difference: "Unterschied",
  plan: {
    title: "Wie diese Frage beantwortet wurde",
    live: "live abgefragt",
    stored: "hier gespeichert",
    row: "Zeile",
    rows: "Zeilen",
    call: (rows: string, milliseconds: string) =>
      rows === "" ? `${milliseconds} ms` : `${rows} in ${milliseconds} ms`,
    result: "Was Sie sehen",
    clauses: {
      grouping: "Gruppen und Werte",
      frequencies: "Anzahl je Wert",
      having: "Filter auf Werte",
      order: "Reihenfolge",
      limit: "Begrenzung",
    },
    by: { source: "Quelle", host: "Host", both: "Quelle und Host" },
    pushedBy: { exact: "source", superset: "both", none: "host" } as const,
    from: (origin: string) => `Herkunft: ${origin}.`,
    origins: {
      question: "Ihre Frage",
      token: "Ihr Token",
      filter_group: "eine Richtlinie Ihrer Organisation",
      share: "eine Freigabe",
    },
    limited: (column: string) => `Eingeschränkt durch ${column}`,
    times: "Zeit",
    cache: "Cache",
    cacheStates: { hit: "gefunden", shared: "geteilt", miss: "nicht gefunden" },
    hidden: "eine Spalte, die Sie nicht verwenden können",
    phases: {
      validating: "Prüfen",
      preparing: "Vorbereiten",
      queuing: "Warten",
      querying: "Abfragen",
      processing: "Verarbeiten",
    },
  },
  status: {
    rows: (count: number) => counted(count, "Zeile", "Zeilen"),
    exact: "von der Quelle berechnet",
    partial: "teilweise vom Host berechnet",
    policies: (count: number) => counted(count, "Richtlinienfilter", "Richtlinienfilter"),
    memory: "aus dem Cache",
    querying: "Abfrage läuft",
    seen: "in Ihrem Browser",
  },
};
