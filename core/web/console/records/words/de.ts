import { isolated } from "../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  name: "Name",
  created: "Created",
  rename: "Rename",
  save: "Save",
  deleteNamed: (name: string): string => `Delete ${isolated(name)}`,
  deleted: (name: string): string => `${isolated(name)} was deleted`,
};
