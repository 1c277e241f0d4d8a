import { isolated } from "../../../../language/index.ts";

/** The words in English. */
export const words = {
  name: "Name",
  email: "E-mail",
  right: "Right",
  change: "Change",
  type: "Kind",
  rows: "Rows",
  everyRow: "every row",
  only: (tests: string): string => `only where ${tests}`,
  unseen: "–",
  types: { dataset: "Dataset", dashboard: "Dashboard" },
  rights: { read: "can see", use: "can see", modify: "can change", own: "owns" },
  rightsOn: {
    dataset: {
      use: "Can see: query its rows in charts",
      modify: "Can change: also edit its columns and links",
    },
    dashboard: {
      use: "Can see: open, filter and export it",
      modify: "Can change: also edit its charts",
    },
  },
  roles: { member: "Member", owner: "Owner" },
  remove: "Remove",
  removeNamed: (name: string): string => `Remove ${isolated(name)}`,
  removeText: (name: string, isPerson: boolean): string =>
    isPerson
      ? `${isolated(name)} immediately loses access to everything that is shared here.`
      : `People who belong here immediately lose access to ${isolated(name)}, unless it is shared with them in another way.`,
  users: "People",
  groups: "Groups",
  shares: "Datasets and dashboards",
  searchUsers: "Search these people",
  searchGroups: "Search these groups",
  searchShares: "Search what is shared",
  findUsers: "Search people",
  findGroups: "Search groups",
  findShares: "Search datasets and dashboards",
  addUser: "Add person",
  addGroup: "Add group",
  addShare: "Share a dataset or dashboard",
  none: "No matches",
  noUsers: "No people yet",
  noGroups: "No groups yet",
  noShares: "Nothing is shared here yet",
  noSharesText:
    "Share a dataset or a dashboard, with every row or only the rows that pass a filter.",
  count: (count: string): string => `${count} in total`,
  shareTitle: (name: string): string => `Share ${isolated(name)}`,
  share: "Share",
  counting: "Counting rows",
  uncounted: "The rows could not be counted.",
  chooseValues: "Choose a column, and its values or range.",
  sees: (count: string, all: string): string =>
    `People who belong here see ${count} of ${all} rows.`,
};

/** The words of this table in one language. */
export type Words = typeof words;
