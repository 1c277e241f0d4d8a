import { isolated } from "../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  name: "Naam",
  created: "Aangemaakt",
  rename: "Naam wijzigen",
  save: "Opslaan",
  deleteNamed: (name) => `${isolated(name)} verwijderen`,
  deleted: (name) => `${isolated(name)} is verwijderd`,
};
