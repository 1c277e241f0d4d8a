import { isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  name: "Name",
  email: "E-Mail",
  right: "Recht",
  change: "Ändern",
  type: "Art",
  rows: "Zeilen",
  everyRow: "jede Zeile",
  only: (tests) => `nur wo ${tests}`,
  unseen: "–",
  types: { dataset: "Datensatz", dashboard: "Dashboard" },
  rights: {
    read: "kann sehen",
    use: "kann sehen",
    modify: "kann ändern",
    own: "ist Besitzer",
  },
  rightsOn: {
    dataset: {
      use: "Kann sehen: Zeilen in Diagrammen abfragen",
      modify: "Kann ändern: auch Spalten und Verknüpfungen bearbeiten",
    },
    dashboard: {
      use: "Kann sehen: öffnen, filtern und exportieren",
      modify: "Kann ändern: auch Diagramme bearbeiten",
    },
  },
  roles: { member: "Mitglied", owner: "Besitzer" },
  remove: "Entfernen",
  removeNamed: (name) => `${isolated(name)} entfernen`,
  removeText: (name, isPerson) =>
    isPerson
      ? `${isolated(name)} verliert sofort den Zugriff auf alles, was hier geteilt ist.`
      : `Personen, die hierzu gehören, verlieren sofort den Zugriff auf ${isolated(name)}, sofern es nicht auf andere Weise mit ihnen geteilt ist.`,
  users: "Personen",
  groups: "Gruppen",
  shares: "Datensätze und Dashboards",
  searchUsers: "In diesen Personen suchen",
  searchGroups: "In diesen Gruppen suchen",
  searchShares: "Geteiltes durchsuchen",
  findUsers: "Personen suchen",
  findGroups: "Gruppen suchen",
  findShares: "Datensätze und Dashboards suchen",
  addUser: "Person hinzufügen",
  addGroup: "Gruppe hinzufügen",
  addShare: "Datensatz oder Dashboard teilen",
  none: "Keine Treffer",
  noUsers: "Noch keine Personen",
  noGroups: "Noch keine Gruppen",
  noShares: "Hier ist noch nichts geteilt",
  noSharesText:
    "Teilen Sie einen Datensatz oder ein Dashboard, mit jeder Zeile oder nur mit den Zeilen, die einen Filter erfüllen.",
  count: (count) => `${count} insgesamt`,
  shareTitle: (name) => `${isolated(name)} teilen`,
  share: "Teilen",
  counting: "Zeilen werden gezählt",
  uncounted: "Die Zeilen konnten nicht gezählt werden.",
  chooseValues: "Wählen Sie eine Spalte und ihre Werte oder ihren Bereich.",
  sees: (count, all) => `Personen, die hierzu gehören, sehen ${count} von ${all} Zeilen.`,
};
