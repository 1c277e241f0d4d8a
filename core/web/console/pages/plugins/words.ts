import { chooseWords } from "../../language/index.ts";

/** Texts of the page Plugins, by language. */
export const words = chooseWords({
  en: {
    title: "Plugins",
    intro:
      "Data sources that this organization can connect, and what the conformance kit verified about each.",
    name: "Name",
    slug: "Slug",
    protocol: "Protocol",
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
      "For a time, the host and the plugin also accept the old secret. Give the plugin the new secret before that time ends.",
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
    endFormer: "End it now",
    formerEnded: "The old secret no longer works",
    newSecretOnce: "Give this secret to your plugin. It is shown only once.",
    secretChanged: "The secret was changed",
    check: "Check now",
    checking: "The check has started; its result appears here.",
    proved: "Verified",
    wrong: "Problems",
    nothingWrong: "No problems found.",
    rows: (rows: string, datasets: string): string =>
      `Checked with ${rows} rows of ${datasets} datasets.`,
    kit: (version: string): string => `Kit version ${version}`,
    noReport: "The kit has not checked this plugin yet, so the host applies its filters again.",
    empty: "No plugins registered",
    emptyText: "A plugin connects a data source to Manifold. Register a plugin by its address.",
    close: "Close",
    calls: "Calls",
    callCount: "Calls",
    failures: "Failed",
    median: "Median time",
    slow: "95 % are faster than",
    lastCall: "Last call",
    since: (at: string): string => `Since this host started, ${at}.`,
    report: "Report",
  },
});
