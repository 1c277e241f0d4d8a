import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Unterorganisationen",
  intro:
    "Personen in einer Unterorganisation sehen die Personen, Gruppen und Tags anderer Unterorganisationen nicht und können nichts mit ihnen teilen. Eine Unterorganisation besteht, solange Personen zu ihr gehören.",
  search: "Unterorganisationen suchen",
  name: "Name",
  people: "Personen",
  groups: "Gruppen",
  none: "Noch keine Unterorganisationen",
  noneText:
    "Mit Unterorganisationen halten Sie Kunden oder Abteilungen getrennt. Personen in der einen sehen nichts von den anderen.",
  nothingFound: "Keine passenden Unterorganisationen",
  count: (count) => counted(count, "Unterorganisation", "Unterorganisationen"),
  add: "Unterorganisation erstellen",
  addAction: "Erste Person hinzufügen",
  change: "Ändern",
  move: "Verschieben",
  moveNamed: (name) => `Personen aus ${isolated(name)} verschieben`,
  moveTo: "In Unterorganisation verschieben",
  moveHint:
    "Leer lassen, um sie in die gesamte Organisation zu verschieben, wo sie alle Personen, Gruppen und Tags sehen.",
  moveText: (count, name) =>
    `${counted(count, "Person verlässt", "Personen verlassen")} ${isolated(name)}, die danach nicht mehr besteht. Gruppen, Tags und Themes, die darin erstellt wurden, behalten ihren Namen. Was mit den Personen geteilt ist, bleibt geteilt.`,
  moving: (done, count) => `${done} von ${count} Personen verschoben`,
  moved: (count) => counted(count, "Person verschoben", "Personen verschoben"),
  same: "Sie gehören bereits zu dieser Unterorganisation.",
};
