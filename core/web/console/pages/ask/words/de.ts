import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Fragen",
  intro:
    "Fragen Sie in Ihren eigenen Worten. Zu jeder Antwort gehört die Abfrage dahinter, die Sie lesen, ändern und speichern können.",
  question: "Ihre Frage",
  questionHint: "Zum Beispiel: Umsatz nach Region im letzten Jahr",
  datasets: "Über",
  anyDataset: "Alle Datensätze, die Sie sehen können",
  ofDashboard: (name: string) => `Daten von ${name}`,
  ask: "Fragen",
  asking: "Das Modell schreibt eine Abfrage",
  writing: "Das Modell erläutert die Antwort",
  stopped: "Angehalten. Diese Antwort wird nicht in der Unterhaltung gespeichert.",
  stop: "Anhalten",
  unavailable: "Es ist kein Modell eingerichtet",
  unavailableText:
    "Der Betreiber dieses Hosts kann eines mit MANIFOLD_AI_URL, MANIFOLD_AI_KEY und MANIFOLD_AI_MODEL einrichten. Alles andere funktioniert ohne Modell.",
  explore: "Daten erkunden",
  you: "Sie:",
  choose: "Treffen Sie eine Auswahl",
  struck: (count: number) =>
    count === 1
      ? "Eine Zahl ist nicht durch die Daten belegt und wurde durch [?] ersetzt."
      : `${count} Zahlen sind nicht durch die Daten belegt und wurden durch [?] ersetzt.`,
  cut: "Die Antwort hat mehr Zeilen, als hier angezeigt werden.",
  query: "Die Abfrage",
  showQuery: "Abfrage anzeigen",
  hideQuery: "Abfrage ausblenden",
  queryHint:
    "Bearbeiten Sie die Abfrage, und führen Sie sie erneut aus. Dabei gelten Ihre eigenen Rechte.",
  askAgain: "Diese Abfrage ausführen",
  notJson: "Die Abfrage muss ein JSON-Objekt sein.",
  openInExplore: "In „Erkunden“ öffnen",
  keep: "In Dashboard speichern",
  kept: (name: string) => `In ${name} gespeichert`,
  notKept: (problem: string) =>
    `Diese Abfrage kann nicht in einem Dashboard gespeichert werden: ${problem}.`,
  answer: "Antwort",
  table: "Zeilen",
  rows: "Zeilen",
  formula: "Formel",
  noRows: "Keine passenden Zeilen.",
  describe: {
    title: (name: string) => `${name} beschreiben`,
    intro:
      "Ein Modell liest die Namen und schlägt Beschreibungen vor. Nur die Vorschläge, die Sie annehmen, werden gespeichert.",
    suggest: "Beschreibungen vorschlagen",
    suggesting: "Das Modell schreibt Beschreibungen",
    of: "Beschreibt",
    now: "Jetzt",
    suggested: "Vorschlag",
    accept: "Annehmen",
    acceptThis: (name: string) => `Beschreibung von ${name} annehmen`,
    none: "–",
    dataset: "der Datensatz",
    store: (count: number) => `${counted(count, "Beschreibung", "Beschreibungen")} speichern`,
    stored: (count: number) => `${counted(count, "Beschreibung", "Beschreibungen")} gespeichert`,
    same: "Alle Vorschläge entsprechen den vorhandenen Beschreibungen.",
    all: "Alle annehmen",
    gone: "Datensatz nicht gefunden",
    goneText: "Er wurde gelöscht, oder Sie haben keinen Zugriff darauf.",
    back: "Zurück zum Datensatz",
  },
};
