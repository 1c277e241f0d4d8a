import { isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  name: "Nom",
  email: "E-mail",
  right: "Droit",
  change: "Modifier",
  type: "Type",
  rows: "Lignes",
  everyRow: "toutes les lignes",
  only: (tests) => `uniquement où ${tests}`,
  unseen: "–",
  types: { dataset: "Jeu de données", dashboard: "Tableau de bord" },
  rights: {
    read: "peut voir",
    use: "peut voir",
    modify: "peut modifier",
    own: "est propriétaire",
  },
  rightsOn: {
    dataset: {
      use: "Peut voir : interroger ses lignes dans des graphiques",
      modify: "Peut modifier : aussi ses colonnes et liaisons",
    },
    dashboard: {
      use: "Peut voir : ouvrir, filtrer et exporter",
      modify: "Peut modifier : aussi ses graphiques",
    },
  },
  roles: { member: "Membre", owner: "Propriétaire" },
  remove: "Retirer",
  removeNamed: (name) => `Retirer ${isolated(name)}`,
  removeText: (name, isPerson) =>
    isPerson
      ? `${isolated(name)} perd immédiatement l’accès à tout ce qui est partagé ici.`
      : `Les personnes concernées perdent immédiatement l’accès à ${isolated(name)}, sauf s’il est partagé avec elles d’une autre façon.`,
  users: "Personnes",
  groups: "Groupes",
  shares: "Jeux de données et tableaux de bord",
  searchUsers: "Rechercher parmi ces personnes",
  searchGroups: "Rechercher parmi ces groupes",
  searchShares: "Rechercher dans les partages",
  findUsers: "Rechercher une personne",
  findGroups: "Rechercher un groupe",
  findShares: "Rechercher un jeu de données ou un tableau de bord",
  addUser: "Ajouter une personne",
  addGroup: "Ajouter un groupe",
  addShare: "Partager un élément",
  none: "Aucun résultat",
  noUsers: "Aucune personne",
  noGroups: "Aucun groupe",
  noShares: "Rien n’est encore partagé ici",
  noSharesText:
    "Partagez un jeu de données ou un tableau de bord, avec toutes les lignes ou seulement celles qui passent un filtre.",
  count: (count) => `${count} au total`,
  shareTitle: (name) => `Partager ${isolated(name)}`,
  share: "Partager",
  counting: "Comptage des lignes",
  uncounted: "Les lignes n’ont pas pu être comptées.",
  chooseValues: "Choisissez une colonne, et ses valeurs ou sa plage.",
  sees: (count, all) => `Les personnes concernées voient ${count} lignes sur ${all}.`,
};
