import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Gruppen",
  search: "Gruppen suchen",
  suborganization: "Unterorganisation",
  people: "Personen",
  everyone: "alle",
  members: "Mitglieder",
  none: "Noch keine Gruppen",
  noneText: "Eine Gruppe gibt mehreren Personen dieselben Rechte und dieselben Zeilen.",
  nothingFound: "Keine passenden Gruppen",
  count: (count) => counted(count, "Gruppe", "Gruppen"),
  add: "Gruppe erstellen",
  absent: "Diese Gruppe gibt es nicht, oder Sie haben keinen Zugriff darauf",
  public:
    "Alle in der Organisation gehören zu dieser Gruppe. Sie können weder den Namen noch die Mitglieder ändern.",
  within: (name) => `Gruppe in ${isolated(name)}`,
  remove: "Gruppe löschen",
  removeText: (people = 0, shared = 0) =>
    `Diese Gruppe teilt ${counted(
      shared,
      "Datensatz oder Dashboard",
      "Datensätze und Dashboards",
    )} mit ${counted(people, "Person", "Personen")}. Sie verlieren den Zugriff auf alles, was nur über diese Gruppe geteilt ist. Es werden keine Daten gelöscht. Dies kann nicht rückgängig gemacht werden.`,
};
