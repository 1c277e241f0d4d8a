/** The words in English. */
export const words = {
  title: "Plugins",
  intro:
    "Data sources that this organization can connect, each with the result of its conformance check.",
  name: "Name",
  slug: "Slug",
  protocol: "Protocol",
  askedVersion: "Ask the plugin",
  registered: "Plugin registered",
  state: "Verification",
  checked: "Checked",
  never: "never",
  states: { verified: "verified", failed: "failed", unchecked: "not checked" },
  register: "Register plugin",
  registerTitle: "Register a plugin",
  address: "Address",
  addressHint: "Where the plugin listens, such as https://plugin.example.com.",
  secret: "Secret",
  secretHint:
    "The host sends the secret in the X-Secret header and stores it encrypted. Leave empty to let the host generate one.",
  secretTitle: "The plugin's secret",
  secretOnce: "Start your plugin with this secret. It is shown only once.",
  newSecret: "New secret",
  newSecretText:
    "The host and the plugin also accept the old secret for the time that you choose. Set the new secret in your plugin within that time.",
  newSecretHint: "Leave empty to generate one.",
  keepFormer: "Accept the old secret for",
  hours: (count: number): string =>
    count === 0
      ? "no time"
      : count % 24 > 0
        ? count === 1
          ? "1 hour"
          : `${count} hours`
        : count === 24
          ? "1 day"
          : `${count / 24} days`,
  formerUntil: (at: string): string => `The old secret is valid until ${at}.`,
  endFormer: "Revoke it now",
  formerEnded: "The old secret no longer works",
  newSecretOnce: "Set this secret in your plugin. It is shown only once.",
  secretChanged: "The secret was changed",
  check: "Check now",
  checking: "The check has started; its result appears here.",
  proved: "Verified",
  wrong: "Problems",
  nothingWrong: "No problems found.",
  rows: (rows: string, datasets: string): string =>
    `Checked with ${rows} rows of ${datasets} datasets.`,
  kit: (version: string): string => `Kit version ${version}`,
  noReport: "The kit has not checked this plugin yet, so the host tests every filter again.",
  gone: "This plugin does not exist, or you may not see it.",
  empty: "No plugins registered",
  emptyText: "A plugin connects a data source to Manifold. Register a plugin by its address.",
  close: "Close",
  calls: "Calls",
  callCount: "Calls",
  failures: "Failed",
  median: "Median time",
  slow: "95th percentile",
  lastCall: "Last call",
  since: (at: string): string => `Since this host started, ${at}.`,
  report: "Report",
  available: "Available plugins",
  availableText:
    "Data sources that Manifold or others publish. The conformance kit checked each one before it was listed.",
  search: "Search plugins",
  found: (count: string): string => (count === "1" ? "1 plugin" : `${count} plugins`),
  nothingFound: "No plugin matches",
  nothingFoundText: "Search for another word, or write a plugin for your source.",
  listFailed: "The list of plugins could not be loaded. Try again.",
  kinds: {
    "built-in": "built in",
    connector: "connector",
    plugin: "plugin",
    example: "example",
  },
  by: (maintainer: string, license: string): string => `By ${maintainer}, licence ${license}`,
  provedCount: (count: number): string =>
    count === 1 ? "1 claim proved" : `${count} claims proved`,
  checkedVersion: (version: string, at: string): string => `version ${version}, checked on ${at}`,
  install: (name: string): string => `npm install ${name}`,
  connect: (name: string): string => `Connect ${name}`,
  visit: (name: string): string => `Website of ${name}`,
  deprecated: "Deprecated:",
};

/** The words of this table in one language. */
export type Words = typeof words;
