import { chooseWords, counted, isolated } from "../../../language/index.ts";

/** The words of groups. */
export const words = chooseWords({
  en: {
    title: "Groups",
    search: "Search groups",
    suborganization: "Suborganization",
    people: "People",
    everyone: "everyone",
    members: "members",
    none: "No group is here yet",
    noneText: "A group gives several people the same rights, and the same rows.",
    nothingFound: "No group fits",
    count: (count: number): string => counted(count, "group", "groups"),
    add: "Create group",
    absent: "There is no such group in your reach",
    public: "Everyone of the organization belongs to this group. It keeps its name and its people.",
    within: (name: string): string => `Group of ${isolated(name)}`,
    remove: "Delete group",
    removeText: (people = 0, shared = 0): string =>
      `${counted(people, "person loses", "people lose")} what is shared with this group alone: ${counted(
        shared,
        "dataset or dashboard",
        "datasets and dashboards",
      )}. The people and the records stay. This cannot be undone.`,
  },
});
