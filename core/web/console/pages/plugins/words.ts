import { chooseWords } from "../../language/index.ts";

/** The words of the page. */
export const words = chooseWords({
  en: {
    title: "Plugins",
    intro:
      "Sources that this organization may connect, and what the conformance kit proved of each.",
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
      "The host sends it as X-Secret, and stores it encrypted. Leave it empty: the host makes one.",
    secretTitle: "The plugin's secret",
    secretOnce: "Start your plugin with this secret. It is shown this once.",
    newSecret: "New secret",
    newSecretText:
      "The host and the plugin take the former secret too for a time: give the plugin the new one meanwhile.",
    newSecretHint: "Leave it empty: this page makes one.",
    keepFormer: "The former one stays good for",
    hours: (count: number): string =>
      count === 0
        ? "not at all"
        : count % 24 > 0
          ? count === 1
            ? "1 hour"
            : `${count} hours`
          : count === 24
            ? "1 day"
            : `${count / 24} days`,
    formerUntil: (at: string): string => `The one before is good until ${at}.`,
    endFormer: "End it now",
    formerEnded: "The former secret has ended",
    newSecretOnce: "Give it to your plugin. It is shown this once.",
    secretChanged: "The secret is changed",
    check: "Check now",
    checking: "The check has started; its result appears here.",
    proved: "Proved",
    wrong: "Wrong",
    nothingWrong: "Nothing is wrong.",
    rows: (rows: string, datasets: string): string =>
      `${rows} rows of ${datasets} datasets were asked.`,
    kit: (version: string): string => `Kit ${version}`,
    noReport: "The kit has not checked this plugin. Its filters are tested again by the host.",
    empty: "No plugin is registered",
    emptyText: "A plugin makes a source answer Manifold's queries. Register one by its address.",
    close: "Close",
    calls: "Calls",
    callCount: "Calls",
    failures: "Failed",
    median: "Median time",
    slow: "95 % are faster than",
    lastCall: "Last call",
    since: (at: string): string => `Since this host began, ${at}.`,
    report: "Report",
  },
});
