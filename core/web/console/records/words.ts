import { chooseWords, isolated } from "../language/index.ts";

/** The strings that the console shows for records of any kind, by language. */
export const words = chooseWords({
  en: {
    name: "Name",
    created: "Created",
    rename: "Rename",
    save: "Save",
    deleteNamed: (name: string): string => `Delete ${isolated(name)}`,
    deleted: (name: string): string => `${isolated(name)} was deleted`,
  },
});
