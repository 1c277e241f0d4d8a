import { counted, isolated } from "../../../../language/index.ts";

/** The words in English. */
export const words = {
  created: "Created",
  description: "Description",
  expires: "Expires",
  lastUsed: "Last used",
  never: "never",
  noRecords: "Nothing here yet",
  apiTokens: "Your API tokens",
  makePair: "Create an API token",
  endNamed: (name: string): string => `Revoke token: ${isolated(name)}`,
  endApiText:
    "Programs can no longer use this token, and sessions started with it end. This cannot be undone.",
  embedTokens: "Embed tokens that you issued",
  embedHint:
    "Each page that embeds a dashboard uses a token for its reader. Open a token to see what it can see.",
  viewer: "Reader",
  shows: "Shows",
  hasEnded: "Expired",
  anybody: "Any reader",
  unnamed: "Without a name",
  types: { dataset: "Dataset", dashboard: "Dashboard" },
  newest: (shown: number, all: number): string =>
    `These are the newest ${shown} of ${all} tokens. Open another one by its key.`,
  copyKey: "Copy key",
  seeAs: "See as this token",
  openKey: "Open",
  keyLabel: "Key of an embed token",
  issue: "Issue token",
  issueTitle: "Issue an embed token",
  username: "User name",
  usernameHint: "The person to whom the page shows data.",
  datasets: "Datasets that the token can query",
  filterColumn: "Rows where",
  everyRow: "every row",
  is: "is",
  value: "Value",
  hours: "Lifetime in hours",
  originList: "Allowed pages",
  originListHint:
    "Enter one per line, such as https://app.example.com. Leave empty to allow any page. A list stops other pages from using a copied token, but it does not stop other programs.",
  addressList: "Allowed IP addresses",
  addressListHint: "Enter one address or network per line. Leave empty to allow any address.",
  done: "Done",
  issued: "Token issued",
  issuedText: "Copy the secret now. It is shown only once.",
  sees: (datasets: number, dashboards: number): string =>
    `Sees ${counted(datasets, "dataset", "datasets")} and ${counted(dashboards, "dashboard", "dashboards")}.`,
  roles: { viewer: "reader", designer: "designer", owner: "owner" } as Readonly<
    Record<string, string>
  >,
  actsFor: (username: string, role: string): string => `Acts for ${username} as ${role}.`,
  expiresAt: (at: string): string => `Expires ${at}.`,
  environment: (name: string): string => `Shows the versions published to ${name}.`,
  origins: (list: string): string => `Only pages of ${list} can use it.`,
  addresses: (list: string): string => `It can be used only from the addresses ${list}.`,
  rowsAll: "Every row.",
  rowsClosed: (reason: string): string => `No rows: ${reason}`,
  rowsFiltered: "Only rows where:",
  withheldSensitive: "a sensitive value",
  withheldShare: "a value known only to the owner of the share",
  cleared: (test: string): string => `${test} (cleared by the token)`,
  fromOrigin: {
    token: "set on the token",
    filter_group: "set for all tokens of the organization",
    share: "set on a share",
  },
  hidden: "Hidden columns:",
  hiddenWhy: "The token hides these columns. Whoever uses the token cannot see them.",
  missing: "Named in the token, but not visible",
  missingWhy: {
    issuer_does_not_see: (count: number): string =>
      `${counted(count, "record", "records")} that its issuer can no longer see`,
    not_shown: (count: number): string =>
      `${counted(count, "record", "records")} to which the token has no right`,
  },
  right: { read: "see", use: "see and query", modify: "change", own: "own" },
  pickDashboard: "Dashboard to preview",
  itemCount: (withRows: string, all: string): string => `${withRows} of ${all} items have rows.`,
  itemsFiltered: "Rows hidden by filters on its datasets are missing here too.",
  itemsWhole: "No filter hides rows of its datasets.",
  live: "As this token",
  liveRows: "Rows that this token sees",
  liveText:
    "Queried with a temporary key pair that can see the same rows. The key pair expires after 15 minutes.",
  pickDataset: "Dataset",
  noDatasets: "This token cannot query any dataset.",
  noRows: "No rows pass its filters.",
  rowCount: (shown: string, all: string): string => `${shown} of the ${all} rows that you can see`,
  back: "All tokens",
  end: "Revoke token",
  endText: "Pages that use this token immediately stop showing data. This cannot be undone.",
  ended: "The token was revoked",
  dashboards: "Dashboards",
};

/** The words of this table in one language. */
export type Words = typeof words;
