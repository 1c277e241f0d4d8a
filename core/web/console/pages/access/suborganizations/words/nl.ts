import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  title: "Suborganisaties",
  intro:
    "Mensen in een suborganisatie zien de mensen, groepen en labels van andere suborganisaties niet, en kunnen er niets mee delen. Een suborganisatie bestaat zolang er mensen bij horen.",
  search: "Suborganisaties zoeken",
  name: "Naam",
  people: "Mensen",
  groups: "Groepen",
  none: "Nog geen suborganisaties",
  noneText:
    "Gebruik suborganisaties om klanten of afdelingen gescheiden te houden. Mensen in de ene suborganisatie zien niets van de andere.",
  nothingFound: "Geen suborganisaties gevonden",
  count: (count) => counted(count, "suborganisatie", "suborganisaties"),
  add: "Suborganisatie maken",
  addAction: "Eerste persoon toevoegen",
  change: "Wijzigen",
  move: "Mensen verplaatsen",
  moveNamed: (name) => `Mensen uit ${isolated(name)} verplaatsen`,
  moveTo: "Verplaatsen naar suborganisatie",
  moveHint:
    "Laat leeg om hen naar de hele organisatie te verplaatsen, waar zij alle mensen, groepen en labels zien.",
  moveText: (count, name) =>
    `${counted(count, "persoon verlaat", "personen verlaten")} ${isolated(name)}, die daarna niet meer bestaat. Groepen, labels en thema’s die erin zijn gemaakt, houden de naam. Wat met de mensen is gedeeld, blijft gedeeld.`,
  moving: (done, count) => `${done} van ${count} personen verplaatst`,
  moved: (count) => counted(count, "persoon verplaatst", "personen verplaatst"),
  same: "Zij horen al bij deze suborganisatie.",
};
