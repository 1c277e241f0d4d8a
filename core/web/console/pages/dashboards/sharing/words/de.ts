import { counted } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: (name) => `${name} teilen`,
  add: "Mit Personen und Gruppen teilen",
  search: "Name oder E-Mail-Adresse",
  found: "Personen und Gruppen",
  none: "Keine Treffer.",
  noneMember:
    "Keine Treffer. Sie können mit Gruppen teilen, denen Sie angehören. Bearbeiter der Organisation können mit einzelnen Personen teilen.",
  addPerson: "Eine Person einladen, die noch nicht hier ist",
  everyone: "Alle in der Organisation",
  group: "Gruppe",
  integration: "Integration",
  somebody: "Eine Person aus einer anderen Unterorganisation",
  hasAccess: "hat Zugriff",
  back: "Jemand anderen wählen",
  right: "Recht",
  rights: {
    use: "Kann sehen: öffnen, filtern und exportieren",
    modify: "Kann ändern: auch die Diagramme bearbeiten",
    own: "Ist Besitzer: auch teilen und löschen",
  },
  datasets: "Daten hinter dem Dashboard",
  noDatasets: "Dieses Dashboard zeigt noch keine Daten.",
  counting: "Zeilen werden gezählt",
  sees: (count, all) => `sieht ${count} von ${all} Zeilen`,
  seesAll: (all) => `sieht alle ${all} Zeilen`,
  seesNothing: "sieht keine Zeilen",
  seesPersonal: "sieht Zeilen, die von der Person abhängen",
  seesElsewhere: "hier nicht geteilt, aber über eine Gruppe sichtbar",
  also: (filters, by) => `Zusätzlich eingeschränkt durch ${by}: ${filters}.`,
  onlyAt: (filters) => `(${filters})`,
  without: (charts) => `Ohne ihn haben diese Diagramme keine Daten: ${charts}.`,
  foreign: (name, charts) =>
    `Sie besitzen ${name} nicht und können den Datensatz deshalb nicht teilen. Wenn sein Besitzer es nicht tut, haben diese Diagramme keine Daten: ${charts}.`,
  unseen: (count) =>
    `${counted(count, "weiterer Datensatz dieses Dashboards kann", "weitere Datensätze dieses Dashboards können")} nicht geteilt werden, weil Sie keinen Zugriff haben.`,
  share: (name) => `Mit ${name} teilen`,
  save: "Änderungen speichern",
  sharing: "Wird geteilt",
  shared: (name) => `Mit ${name} geteilt`,
  cannotChoose: "Wählen Sie eine Spalte und ihre Werte oder ihren Bereich.",
  nothingChanged: "Es wurde nichts geändert.",
  mayBeStored:
    "Die Antwort ist nicht angekommen. Daher ist offen, ob dies gespeichert ist: entweder alles oder nichts. Die Liste unten zeigt, was jetzt gilt.",
  access: "Wer hat Zugriff",
  owner: "Besitzer",
  onlyOwner: "Noch hat niemand sonst Zugriff.",
  onlyData: "sieht nur die Daten",
  change: "Ändern",
  changeOf: (name) => `Ändern, was ${name} sieht`,
  remove: "Entfernen",
  removeOf: (name) => `${name} entfernen`,
  removeTitle: (name) => `Nicht mehr mit ${name} teilen?`,
  removeText: (name) => `${name} verliert sofort den Zugriff auf dieses Dashboard.`,
  removeData: (datasets) =>
    `Auch die Daten nicht mehr teilen: ${datasets}. Andere Dashboards verlieren diese Zeilen ebenfalls.`,
  removed: (name) => `Nicht mehr mit ${name} geteilt`,
  viewAsOf: (name) => `Anzeigen als ${name}`,
  viewAs: "Anzeigen als",
  links: "Private Links",
  embed: "Einbetten",
  embedText:
    "Zeigen Sie dieses Dashboard auf einer eigenen Seite, mit den Zeilen des jeweiligen Betrachters.",
  done: "Fertig",
};
