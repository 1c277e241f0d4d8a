import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: "Groupes",
  search: "Rechercher un groupe",
  suborganization: "Sous-organisation",
  people: "Personnes",
  everyone: "tout le monde",
  members: "membres",
  none: "Aucun groupe",
  noneText: "Un groupe donne à plusieurs personnes les mêmes droits et les mêmes lignes.",
  nothingFound: "Aucun groupe ne correspond",
  count: (count) => counted(count, "groupe", "groupes"),
  add: "Créer un groupe",
  absent: "Ce groupe n’existe pas, ou vous n’y avez pas accès",
  public:
    "Toute l’organisation fait partie de ce groupe. Vous ne pouvez modifier ni son nom ni ses membres.",
  within: (name) => `Groupe de ${isolated(name)}`,
  remove: "Supprimer le groupe",
  removeText: (people = 0, shared = 0) =>
    `Ce groupe partage ${counted(
      shared,
      "jeu de données ou tableau de bord",
      "jeux de données et tableaux de bord",
    )} avec ${counted(people, "personne", "personnes")}. Ces personnes perdent l’accès à tout ce qui n’est partagé que par ce groupe. Aucune donnée n’est supprimée. Cette action est irréversible.`,
};
