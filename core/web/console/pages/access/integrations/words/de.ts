import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Integrationen",
  search: "Integrationen suchen",
  owner: "Besitzer",
  none: "Noch keine Integrationen",
  noneText:
    "Eine Integration ist ein Ort, an dem Dashboards eingebettet sind. Ihre Personen und Gruppen sehen alles, was mit ihr geteilt ist.",
  nothingFound: "Keine passenden Integrationen",
  count: (count) => counted(count, "Integration", "Integrationen"),
  add: "Integration erstellen",
  absent: "Diese Integration gibt es nicht, oder Sie haben keinen Zugriff darauf",
  ownedBy: (name) => `Besitzer: ${isolated(name)}`,
  remove: "Integration löschen",
  removeText: (people = 0, groups = 0, shared = 0) =>
    `Diese Integration teilt ${counted(
      shared,
      "Datensatz oder Dashboard",
      "Datensätze und Dashboards",
    )} mit ${counted(people, "Person", "Personen")} und ${counted(
      groups,
      "Gruppe",
      "Gruppen",
    )}. Sie verlieren den Zugriff auf alles, was nur über diese Integration geteilt ist. Einbettungstokens, die sie nennen, zeigen nichts mehr an. Dies kann nicht rückgängig gemacht werden.`,
};
