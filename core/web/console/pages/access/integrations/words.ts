import { chooseWords, counted, isolated } from "../../../language/index.ts";

/** The words of integrations. */
export const words = chooseWords({
  en: {
    title: "Integrations",
    search: "Search integrations",
    name: "Name",
    owner: "Owner",
    created: "Created",
    none: "No integration is here yet",
    noneText:
      "An integration is one place where dashboards are embedded. Its people and groups see what is shared with it.",
    nothingFound: "No integration fits",
    count: (count: number): string => counted(count, "integration", "integrations"),
    add: "Create integration",
    rename: "Rename",
    save: "Save",
    back: "Integrations",
    absent: "There is no such integration in your reach",
    ownedBy: (name: string): string => `Owned by ${isolated(name)}`,
    remove: "Delete integration",
    removeTitle: (name: string): string => `Delete ${isolated(name)}`,
    removeText: (people: number, groups: number, shared: number): string =>
      `${counted(people, "person", "people")} and ${counted(
        groups,
        "group",
        "groups",
      )} lose what is shared with this integration alone: ${counted(
        shared,
        "dataset or dashboard",
        "datasets and dashboards",
      )}. Tokens of pages that name it show nothing any more. This cannot be undone.`,
    removed: (name: string): string => `${isolated(name)} is deleted`,
  },
});
