import { isolated } from "../../language/index.ts";

/** The words in English. */
export const words = {
  name: "Name",
  created: "Created",
  rename: "Rename",
  save: "Save",
  deleteNamed: (name: string): string => `Delete ${isolated(name)}`,
  deleted: (name: string): string => `${isolated(name)} was deleted`,
};

/** The words of this table in one language. */
export type Words = typeof words;
