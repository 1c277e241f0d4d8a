import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: "Intégrations",
  search: "Rechercher une intégration",
  owner: "Propriétaire",
  none: "Aucune intégration",
  noneText:
    "Une intégration est un endroit où des tableaux de bord sont intégrés. Ses personnes et ses groupes voient tout ce qui est partagé avec elle.",
  nothingFound: "Aucune intégration ne correspond",
  count: (count) => counted(count, "intégration", "intégrations"),
  add: "Créer une intégration",
  absent: "Cette intégration n’existe pas, ou vous n’y avez pas accès",
  ownedBy: (name) => `Propriétaire : ${isolated(name)}`,
  remove: "Supprimer l’intégration",
  removeText: (people = 0, groups = 0, shared = 0) =>
    `Cette intégration partage ${counted(
      shared,
      "jeu de données ou tableau de bord",
      "jeux de données et tableaux de bord",
    )} avec ${counted(people, "personne", "personnes")} et ${counted(
      groups,
      "groupe",
      "groupes",
    )}, qui perdent l’accès à tout ce qui n’est partagé que par cette intégration. Les jetons d’intégration qui la nomment n’affichent plus rien. Cette action est irréversible.`,
};
