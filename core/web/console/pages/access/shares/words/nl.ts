import { isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  name: "Naam",
  email: "E-mail",
  right: "Recht",
  change: "Wijzigen",
  type: "Soort",
  rows: "Rijen",
  everyRow: "elke rij",
  only: (tests) => `alleen waar ${tests}`,
  unseen: "–",
  types: { dataset: "Dataset", dashboard: "Dashboard" },
  rights: { read: "kan zien", use: "kan zien", modify: "kan wijzigen", own: "is eigenaar" },
  rightsOn: {
    dataset: {
      use: "Kan zien: de rijen in grafieken bevragen",
      modify: "Kan wijzigen: ook kolommen en koppelingen bewerken",
    },
    dashboard: {
      use: "Kan zien: openen, filteren en exporteren",
      modify: "Kan wijzigen: ook de grafieken bewerken",
    },
  },
  roles: { member: "Lid", owner: "Eigenaar" },
  remove: "Verwijderen",
  removeNamed: (name) => `${isolated(name)} verwijderen`,
  removeText: (name, isPerson) =>
    isPerson
      ? `${isolated(name)} verliest meteen de toegang tot alles wat hier wordt gedeeld.`
      : `Mensen die hierbij horen, verliezen meteen de toegang tot ${isolated(name)}, tenzij het op een andere manier met hen is gedeeld.`,
  users: "Mensen",
  groups: "Groepen",
  shares: "Datasets en dashboards",
  searchUsers: "In deze mensen zoeken",
  searchGroups: "In deze groepen zoeken",
  searchShares: "Zoeken in wat is gedeeld",
  findUsers: "Mensen zoeken",
  findGroups: "Groepen zoeken",
  findShares: "Datasets en dashboards zoeken",
  addUser: "Persoon toevoegen",
  addGroup: "Groep toevoegen",
  addShare: "Dataset of dashboard delen",
  none: "Niets gevonden",
  noUsers: "Nog geen mensen",
  noGroups: "Nog geen groepen",
  noShares: "Hier is nog niets gedeeld",
  noSharesText:
    "Deel een dataset of dashboard, met elke rij of alleen de rijen die aan een filter voldoen.",
  count: (count) => `${count} in totaal`,
  shareTitle: (name) => `${isolated(name)} delen`,
  share: "Delen",
  counting: "Rijen worden geteld",
  uncounted: "De rijen konden niet worden geteld.",
  chooseValues: "Kies een kolom, en de waarden of het bereik.",
  sees: (count, all) => `Mensen die hierbij horen, zien ${count} van ${all} rijen.`,
};
