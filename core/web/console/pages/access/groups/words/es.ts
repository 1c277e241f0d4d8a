import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Groups",
  search: "Search groups",
  suborganization: "Suborganization",
  people: "People",
  everyone: "everyone",
  members: "members",
  none: "No groups yet",
  noneText: "A group gives several people the same rights and the same rows.",
  nothingFound: "No groups match",
  count: (count: number): string => counted(count, "group", "groups"),
  add: "Create group",
  absent: "This group does not exist, or you do not have access to it",
  public:
    "Everyone in the organization belongs to this group. You cannot change its name or its members.",
  within: (name: string): string => `Group in ${isolated(name)}`,
  remove: "Delete group",
  removeText: (people = 0, shared = 0): string =>
    `This group shares ${counted(
      shared,
      "dataset or dashboard",
      "datasets and dashboards",
    )} with ${counted(people, "person", "people")}. They lose access to whatever is shared only through this group. No data is deleted. This cannot be undone.`,
};
