import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  title: "Integraties",
  search: "Integraties zoeken",
  owner: "Eigenaar",
  none: "Nog geen integraties",
  noneText:
    "Een integratie is een plaats waar dashboards worden ingesloten. De mensen en groepen ervan zien alles wat ermee wordt gedeeld.",
  nothingFound: "Geen integraties gevonden",
  count: (count) => counted(count, "integratie", "integraties"),
  add: "Integratie maken",
  absent: "Deze integratie bestaat niet, of je hebt er geen toegang toe",
  ownedBy: (name) => `Eigendom van ${isolated(name)}`,
  remove: "Integratie verwijderen",
  removeText: (people = 0, groups = 0, shared = 0) =>
    `Deze integratie deelt ${counted(
      shared,
      "dataset of dashboard",
      "datasets en dashboards",
    )} met ${counted(people, "persoon", "personen")} en ${counted(
      groups,
      "groep",
      "groepen",
    )}. Zij verliezen de toegang tot alles wat alleen via deze integratie is gedeeld. Embedtokens die haar noemen, tonen niets meer. Dit kan niet ongedaan worden gemaakt.`,
};
