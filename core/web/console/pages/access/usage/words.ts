import { chooseWords } from "../../../language/index.ts";

/** The words of the use of an organization. */
export const words = chooseWords({
  en: {
    title: "Usage",
    intro:
      "The use of your organization, over all people, tokens and hosts. Whoever runs the host sets the limits.",
    again: "Look again",
    names: {
      rows: "Rows in datasets",
      bytes: "Bytes of pushed values",
      queries: "Queries at once",
      scanned_rows: "Rows read by queries",
      pushes: "Pushes",
      jobs: "Jobs: alerts, sendings, exports, checks",
      ai_tokens: "Tokens of the assistant",
    },
    spans: { stored: "in all", now: "now", minute: "this minute", day: "today, UTC" },
    used: (used: string, hard: string): string => `${used} of ${hard}`,
    noLimit: "no limit",
    states: { within: "Within the limit", soft: "Above the warning mark", hard: "At the limit" },
    soft: (soft: string): string => `Warns from ${soft}`,
    refused: "More is refused.",
    resets: (time: string): string => `Starts again at ${time}.`,
    stays: "Delete rows or datasets, or ask whoever runs the host for more.",
    waits: "More queries wait for their turn.",
    bar: (name: string, used: string, hard: string, soft: string): string =>
      `${name}: ${used} of ${hard} used, warns from ${soft}`,
  },
});
