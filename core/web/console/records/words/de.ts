import { isolated } from "../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  name: "Name",
  created: "Erstellt",
  rename: "Umbenennen",
  save: "Speichern",
  deleteNamed: (name) => `${isolated(name)} löschen`,
  deleted: (name) => `${isolated(name)} wurde gelöscht`,
};
