import { chooseWords, counted, isolated } from "../../../language/index.ts";

/** The words of integrations. */
export const words = chooseWords({
  en: {
    title: "Integrations",
    search: "Search integrations",
    owner: "Owner",
    none: "No integration is here yet",
    noneText:
      "An integration is one place where dashboards are embedded. Its people and groups see what is shared with it.",
    nothingFound: "No integration fits",
    count: (count: number): string => counted(count, "integration", "integrations"),
    add: "Create integration",
    absent: "There is no such integration in your reach",
    ownedBy: (name: string): string => `Owned by ${isolated(name)}`,
    remove: "Delete integration",
    removeText: (people = 0, groups = 0, shared = 0): string =>
      `${counted(people, "person", "people")} and ${counted(
        groups,
        "group",
        "groups",
      )} lose what is shared with this integration alone: ${counted(
        shared,
        "dataset or dashboard",
        "datasets and dashboards",
      )}. Tokens of pages that name it show nothing any more. This cannot be undone.`,
  },
});
