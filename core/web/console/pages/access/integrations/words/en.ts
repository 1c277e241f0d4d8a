import { counted, isolated } from "../../../../language/index.ts";

/** The words in English. */
export const words = {
  title: "Integrations",
  search: "Search integrations",
  owner: "Owner",
  none: "No integrations yet",
  noneText:
    "An integration is a place where dashboards are embedded. Its people and groups see everything that is shared with it.",
  nothingFound: "No integrations match",
  count: (count: number): string => counted(count, "integration", "integrations"),
  add: "Create integration",
  absent: "This integration does not exist, or you do not have access to it",
  ownedBy: (name: string): string => `Owned by ${isolated(name)}`,
  remove: "Delete integration",
  removeText: (people = 0, groups = 0, shared = 0): string =>
    `This integration shares ${counted(
      shared,
      "dataset or dashboard",
      "datasets and dashboards",
    )} with ${counted(people, "person", "people")} and ${counted(
      groups,
      "group",
      "groups",
    )}. They lose access to whatever is shared only through this integration. Embed tokens that name it no longer show anything. This cannot be undone.`,
};

/** The words of this table in one language. */
export type Words = typeof words;
