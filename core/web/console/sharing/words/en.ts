/** The words in English. */
export const words = {
  rights: { read: "can see", use: "can see", modify: "can change", own: "owns" },
  noValue: "no value",
  isOneOf: (column: string, values: readonly string[], more: number): string =>
    `${column} is ${
      more > 0 ? `${values.join(", ")} or ${more} more` : values.join(" or ") || "nothing"
    }`,
  personal: (column: string, parameter: string): string =>
    `${column} is the person’s “${parameter.replace(/^metadata\./, "")}”`,
  viewAs: "View as",
  viewAsTitle: (name: string): string => `As ${name} sees it`,
  viewAsText:
    "Shown with a temporary key that sees the same rows, and changes nothing. It expires after 15 minutes.",
  viewAsClosed: (name: string): string => `${name} does not see this dashboard.`,
  viewAsMissing: (name: string, datasets: string): string =>
    `${name} does not see these datasets, so their charts have no data: ${datasets}.`,
  viewAsForeign: (datasets: string): string =>
    `You do not own these datasets, so their charts stay empty here: ${datasets}.`,
  viewAsWithheld: (name: string, datasets: string): string =>
    `The rows of these datasets can depend on the person, so their charts stay empty here: ${datasets}. An owner of the organization can view them as ${name}.`,
  viewAsNarrower:
    "The filters that your organization has for embedded pages apply here, too, so some rows may be missing.",
  close: "Close",
  modes: {
    all: "Every row",
    some: "Rows where",
    kept: "Keep the rows as they are",
    none: "Not shared",
  },
  column: "Column",
  chooseColumn: "Choose a column",
  unseenColumn: "a column that you cannot see",
  daysInUtc: "Days begin at midnight UTC, for everyone.",
  noColumns: "This dataset has no column to choose rows by.",
  inviteTitle: "Invite a person",
  invite: "Invite",
  email: "E-mail address",
  name: "Name",
  inviteNow:
    "Send a link to choose a password. Not needed for people who sign in through a provider.",
  invited: (email: string): string => `An invitation was mailed to ${email}`,
  linkFor: (name: string): string => `Link for ${name}`,
  linkText:
    "This host could not send an e-mail, so hand this link over yourself. With it, the person chooses a password. It works once, within seven days, and is shown only now.",
};

/** The words of this table in one language. */
export type Words = typeof words;
