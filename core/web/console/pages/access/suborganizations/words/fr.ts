import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: "Sous-organisations",
  intro:
    "Les personnes d’une sous-organisation ne voient pas les personnes, groupes et étiquettes des autres sous-organisations, et ne peuvent rien partager avec elles. Une sous-organisation existe tant que des personnes en font partie.",
  search: "Rechercher une sous-organisation",
  name: "Nom",
  people: "Personnes",
  groups: "Groupes",
  none: "Aucune sous-organisation",
  noneText:
    "Utilisez les sous-organisations pour séparer des clients ou des services. Les personnes de l’une ne voient rien des autres.",
  nothingFound: "Aucune sous-organisation ne correspond",
  count: (count) => counted(count, "sous-organisation", "sous-organisations"),
  add: "Créer une sous-organisation",
  addAction: "Ajouter sa première personne",
  change: "Modifier",
  move: "Déplacer les personnes",
  moveNamed: (name) => `Déplacer les personnes de ${isolated(name)}`,
  moveTo: "Déplacer vers la sous-organisation",
  moveHint:
    "Laissez vide pour les déplacer vers l’organisation entière, où elles voient tout le monde, tous les groupes et toutes les étiquettes.",
  moveText: (count, name) =>
    `${counted(count, "personne quitte", "personnes quittent")} ${isolated(name)}, qui cesse alors d’exister. Les groupes, étiquettes et thèmes créés en son sein gardent son nom. Ce qui est partagé avec ces personnes le reste.`,
  moving: (done, count) => `${done} personnes déplacées sur ${count}`,
  moved: (count) => counted(count, "personne déplacée", "personnes déplacées"),
  same: "Elles font déjà partie de cette sous-organisation.",
};
