import { chooseWords, counted, isolated } from "../../../language/index.ts";

const people = (count: number): string => counted(count, "person", "people");

/** The words of suborganizations. */
export const words = chooseWords({
  en: {
    title: "Suborganizations",
    intro:
      "People of a suborganization see no people, groups and tags of another one, and share nothing with them. One exists while people belong to it.",
    search: "Search suborganizations",
    name: "Name",
    people: "People",
    groups: "Groups",
    none: "No suborganization is here yet",
    noneText: "Keep customers or departments apart: people of one see nothing of another.",
    nothingFound: "No suborganization fits",
    count: (count: number): string => counted(count, "suborganization", "suborganizations"),
    add: "Create suborganization",
    addAction: "Go on to its first person",
    change: "Change",
    move: "Move people",
    moveNamed: (name: string): string => `Move people of ${isolated(name)}`,
    moveTo: "To the suborganization",
    moveHint: "Leave it empty for the whole organization, where people see all of it.",
    moveText: (count: number, name: string): string =>
      `${people(count)} leave ${isolated(name)}, which then is gone. Groups, tags and themes that were made in it stay with its name. Shares with the people stay.`,
    moving: (done: number, count: number): string => `${done} of ${count} people moved`,
    moved: (count: number): string => `${people(count)} moved`,
    same: "They are there already.",
  },
});
