import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Nutzung",
  intro:
    "Die Nutzung Ihrer Organisation über alle Personen, Tokens und Hosts hinweg. Der Betreiber des Hosts legt die Grenzen fest.",
  again: "Aktualisieren",
  names: {
    rows: "Zeilen in Datensätzen",
    bytes: "Größe gesendeter Werte",
    queries: "Gleichzeitige Abfragen",
    scanned_rows: "Von Abfragen gelesene Zeilen",
    pushes: "Sendungen",
    jobs: "Aufgaben: Warnungen, gesendete Dashboards, Exporte, Plugin-Prüfungen",
    ai_tokens: "Tokens des Assistenten",
  },
  spans: { stored: "insgesamt", now: "jetzt", minute: "in dieser Minute", day: "heute, UTC" },
  used: (used, hard) => `${used} von ${hard}`,
  noLimit: "keine Grenze",
  states: {
    within: "Innerhalb der Grenze",
    soft: "Über der Warnschwelle",
    hard: "Grenze erreicht",
  },
  soft: (soft) => `Warnung über ${soft}`,
  refused: "Weitere Nutzung wird abgelehnt.",
  resets: (time) => `Beginnt neu um ${time}.`,
  stays:
    "Löschen Sie Zeilen oder Datensätze, oder bitten Sie den Betreiber des Hosts um eine höhere Grenze.",
  waits: "Weitere Abfragen warten, bis andere fertig sind.",
  activity: "Personen und Aktivität",
  activityIntro:
    "Jede Person zählt einmal pro Zeile, egal wie oft sie kam und welcher Host geantwortet hat. Monate sind in UTC.",
  ofDashboard: (name) => `Nur das Dashboard ${name}.`,
  ofAll: "Alles anzeigen",
  by: "Aufteilen nach",
  month: "Monat",
  parts: {
    month: "Monat",
    suborganization: "Unterorganisation",
    integration: "Integration",
    dashboard: "Dashboard",
    viewer: "Person",
  },
  none: {
    month: "–",
    suborganization: "Gesamte Organisation",
    integration: "Keine Integration",
    dashboard: "Kein Dashboard",
    viewer: "Eine Person, die gelöscht wurde oder die Sie nicht sehen können",
  },
  acts: {
    viewer_count: "Personen",
    view_count: "Dashboard-Aufrufe",
    question_count: "Fragen",
    export_count: "Exporte",
    model_call_count: "Modellaufrufe",
  },
  noActivity: "Keine Aktivität in diesem Monat",
  noActivityText:
    "Aufrufe, Fragen, Exporte und Aufrufe des Modells erscheinen hier innerhalb von Sekunden.",
  cut: (shown, count) => `Die ersten ${shown} von ${count} Zeilen. Die API liefert alle.`,
  lost: (count) =>
    `${count} Vorgänge konnten nicht gezählt werden, weil zu viele auf den Katalog warteten.`,
  bar: (name, used, hard, soft) => `${name}: ${used} von ${hard} genutzt, Warnung über ${soft}`,
};
