import { counted } from "../../../../language/index.ts";

/** The words in English. */
export const words = {
  title: (name: string): string => `Share ${name}`,
  add: "Share with people and groups",
  search: "Name or e-mail address",
  found: "People and groups",
  none: "Nobody matches.",
  noneMember:
    "Nobody matches. You can share with groups to which you belong. Editors of the organization can share with single people.",
  addPerson: "Invite a person who is not here yet",
  everyone: "Everyone in the organization",
  group: "Group",
  integration: "Integration",
  somebody: "A person of another suborganization",
  hasAccess: "has access",
  back: "Choose someone else",
  right: "Right",
  rights: {
    use: "Can see: open, filter and export it",
    modify: "Can change: also edit its charts",
    own: "Owns it: also share and delete it",
  },
  datasets: "Data behind the dashboard",
  noDatasets: "This dashboard shows no data yet.",
  counting: "Counting rows",
  sees: (count: string, all: string): string => `sees ${count} of ${all} rows`,
  seesAll: (all: string): string => `sees all ${all} rows`,
  seesNothing: "sees no rows",
  seesPersonal: "sees rows that depend on the person",
  seesElsewhere: "not shared here, and visible through a group",
  also: (filters: string, by: string): string => `Also limited by ${by}: ${filters}.`,
  onlyAt: (filters: string): string => `where ${filters}`,
  without: (charts: string): string => `Without it, these charts have no data: ${charts}.`,
  foreign: (name: string, charts: string): string =>
    `You do not own ${name}, so you cannot share it. Unless its owner does, these charts have no data: ${charts}.`,
  unseen: (count: number): string =>
    `${counted(count, "more dataset", "more datasets")} of this dashboard cannot be shared, because you have no access.`,
  share: (name: string): string => `Share with ${name}`,
  save: "Save changes",
  sharing: "Sharing",
  shared: (name: string): string => `Shared with ${name}`,
  cannotChoose: "Choose a column, and its values or range.",
  nothingChanged: "Nothing was changed.",
  mayBeStored:
    "The answer did not arrive, so this may or may not be stored: either all of it, or nothing. The list below shows what holds now.",
  access: "Who has access",
  owner: "Owner",
  onlyOwner: "Nobody else has access yet.",
  onlyData: "sees only the data",
  change: "Change",
  changeOf: (name: string): string => `Change what ${name} sees`,
  remove: "Remove",
  removeOf: (name: string): string => `Remove ${name}`,
  removeTitle: (name: string): string => `Stop sharing with ${name}?`,
  removeText: (name: string): string => `${name} immediately loses access to this dashboard.`,
  removeData: (datasets: string): string =>
    `Also stop sharing the data: ${datasets}. Other dashboards lose these rows, too.`,
  removed: (name: string): string => `No longer shared with ${name}`,
  viewAsOf: (name: string): string => `View as ${name}`,
  viewAs: "View as",
  links: "Private links",
  embed: "Embed",
  embedText: "Show this dashboard on a page of your own, with the rows of each viewer.",
  done: "Done",
};

/** The words of this table in one language. */
export type Words = typeof words;
