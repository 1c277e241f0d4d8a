import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

const people = (count: number): string => counted(count, "person", "people");

/** The words in Dutch. */
export const words: Words = {
  title: "Suborganizations",
  intro:
    "People in a suborganization do not see the people, groups or tags of other suborganizations, and cannot share anything with them. A suborganization exists as long as people belong to it.",
  search: "Search suborganizations",
  name: "Name",
  people: "People",
  groups: "Groups",
  none: "No suborganizations yet",
  noneText:
    "Use suborganizations to keep customers or departments apart. People in one suborganization see nothing of the others.",
  nothingFound: "No suborganizations match",
  count: (count: number): string => counted(count, "suborganization", "suborganizations"),
  add: "Create suborganization",
  addAction: "Add its first person",
  change: "Change",
  move: "Move people",
  moveNamed: (name: string): string => `Move people out of ${isolated(name)}`,
  moveTo: "Move to suborganization",
  moveHint:
    "Leave empty to move them to the whole organization, where they see all people, groups and tags.",
  moveText: (count: number, name: string): string =>
    `${counted(count, "person leaves", "people leave")} ${isolated(name)}, which then no longer exists. Groups, tags and themes created in it keep its name. Whatever is shared with the people stays shared.`,
  moving: (done: number, count: number): string => `${done} of ${count} people moved`,
  moved: (count: number): string => `${people(count)} moved`,
  same: "They are already in this suborganization.",
};
