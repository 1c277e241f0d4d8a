import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  title: "Groepen",
  search: "Groepen zoeken",
  suborganization: "Suborganisatie",
  people: "Mensen",
  everyone: "iedereen",
  members: "leden",
  none: "Nog geen groepen",
  noneText: "Een groep geeft meerdere mensen dezelfde rechten en dezelfde rijen.",
  nothingFound: "Geen groepen gevonden",
  count: (count) => counted(count, "groep", "groepen"),
  add: "Groep maken",
  absent: "Deze groep bestaat niet, of je hebt er geen toegang toe",
  public:
    "Iedereen in de organisatie hoort bij deze groep. Je kunt de naam en de leden niet wijzigen.",
  within: (name) => `Groep in ${isolated(name)}`,
  remove: "Groep verwijderen",
  removeText: (people = 0, shared = 0) =>
    `Deze groep deelt ${counted(
      shared,
      "dataset of dashboard",
      "datasets en dashboards",
    )} met ${counted(people, "persoon", "personen")}. Zij verliezen de toegang tot alles wat alleen via deze groep is gedeeld. Er worden geen gegevens verwijderd. Dit kan niet ongedaan worden gemaakt.`,
};
