import type { SourceWords } from "./en.ts";

/** The words in German. */
export const words: SourceWords = {
  storedTitle: "Auf diesem Host gespeichert",
  storedText:
    "Seine Zeilen wurden importiert oder gesendet, es gibt also keine Quelle zum Synchronisieren.",
  synchronization: "Synchronisierung",
  connection: "Verbindung",
  table: "Tabelle",
  statement: "eine SQL-Anweisung",
  lastSync: "Zuletzt synchronisiert",
  lastAttempt: "Letzter Versuch",
  byConnection: "Spalten werden nach dem Zeitplan der Verbindung mit der Quelle synchronisiert",
  byItself: (hours) => `Spalten werden alle ${hours} Stunden mit der Quelle synchronisiert`,
  synchronizeNow: "Jetzt synchronisieren",
  unchanged: "Die Spalten haben sich nicht geändert.",
  notSynced: (reason) => `Die Synchronisierung ist fehlgeschlagen: ${reason}`,
  changes: {
    added: (count) => `${count} hinzugefügt`,
    missing: (count) => `${count} fehlen`,
    returned: (count) => `${count} zurückgekehrt`,
    retyped: (count) => `${count} mit neuem Typ`,
  },
  acceleration: "Beschleunigung",
  accelerationText:
    "Jede Abfrage geht an die Quelle. Eine Kopie im Speicher antwortet innerhalb von Millisekunden.",
  start: "Zeilen in den Speicher kopieren",
  startText:
    "Abfragen nutzen die Kopie, sobald sie vollständig ist. Rechte und Zeilenfilter bleiben gleich.",
  stop: "Kopie löschen",
  stopText: "Abfragen gehen wieder an die Quelle. Die Kopie und ihr Zeitplan werden gelöscht.",
  load: "Jeder Lauf kopiert",
  loads: {
    full: "Jedes Mal alle Zeilen",
    delta: "Nur neue und geänderte Zeilen",
    "full-delta": "Neue und geänderte Zeilen, und einmal am Tag alle Zeilen",
  },
  states: {
    waiting: "wartet",
    copying: "wird kopiert",
    ready: "bereit",
    failed: "fehlgeschlagen",
  },
  deltaColumn: "Spalte mit dem Zeitpunkt der letzten Änderung",
  every: "Kopieren alle",
  unit: "Einheit",
  units: { minute: "Minuten", hour: "Stunden", day: "Tage", week: "Wochen", month: "Monate" },
  rows: "Zeilen",
  size: "Größe",
  asOf: "Stand der Zeilen",
  fullAt: "Letzte vollständige Kopie",
  next: "Nächste Kopie",
  copied: (rows, share) =>
    share === null
      ? `${rows} Zeilen bisher kopiert`
      : `${rows} Zeilen bisher kopiert, etwa ${Math.floor(share * 100)} %`,
  history: "Änderungen",
  actions: {
    create: "erstellt",
    update: "geändert",
    delete: "gelöscht",
    associate: "geteilt oder verknüpft",
    dissociate: "Teilen oder Verknüpfung beendet",
  },
  members: {
    name: "Name",
    description: "Beschreibung",
    contents: "Diagramme",
    custom_metadata: "Metadaten",
    file_settings: "Einstellungen der Datei",
    source_sheet: "Tabelle",
    account_id: "Verbindung",
    meta_sync_interval: "Synchronisierung",
  },
};
