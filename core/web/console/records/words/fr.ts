import { isolated } from "../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  name: "Nom",
  created: "Création",
  rename: "Renommer",
  save: "Enregistrer",
  deleteNamed: (name) => `Supprimer ${isolated(name)}`,
  deleted: (name) => `Suppression effectuée : ${isolated(name)}`,
};
