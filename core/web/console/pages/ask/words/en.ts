import { counted } from "../../../language/index.ts";

/** The words in English. */
export const words = {
  title: "Ask",
  intro:
    "Ask in your own words. Each answer comes with the query behind it, which you can read, change and save.",
  question: "Your question",
  questionHint: "For example: sales by region last year",
  datasets: "About",
  anyDataset: "All datasets that you can see",
  ofDashboard: (name: string) => `Data of ${name}`,
  ask: "Ask",
  asking: "The model is writing a query",
  writing: "The model is explaining the answer",
  stopped: "Stopped. This answer is not saved in the conversation.",
  stop: "Stop",
  unavailable: "No model is set up",
  unavailableText:
    "The operator of this host can set one up with MANIFOLD_AI_URL, MANIFOLD_AI_KEY and MANIFOLD_AI_MODEL. Everything else works without a model.",
  explore: "Explore data",
  you: "You:",
  choose: "Choose one",
  struck: (count: number) =>
    count === 1
      ? "One number is not supported by the data and was replaced with [?]."
      : `${count} numbers are not supported by the data and were replaced with [?].`,
  cut: "The answer has more rows than are shown here.",
  query: "The query",
  showQuery: "Show the query",
  hideQuery: "Hide the query",
  queryHint: "Edit the query, then run it again. It runs with your own rights.",
  askAgain: "Run this query",
  notJson: "The query must be a JSON object.",
  openInExplore: "Open in Explore",
  keep: "Save to a dashboard",
  kept: (name: string) => `Saved to ${name}`,
  notKept: (problem: string) => `This query cannot be saved to a dashboard: ${problem}.`,
  answer: "Answer",
  table: "Rows",
  rows: "Rows",
  formula: "Formula",
  noRows: "No rows match.",
  describe: {
    title: (name: string) => `Describe ${name}`,
    intro:
      "A model reads the names and suggests descriptions. Only the suggestions that you accept are stored.",
    suggest: "Suggest descriptions",
    suggesting: "The model is writing descriptions",
    of: "Describes",
    now: "Now",
    suggested: "Suggested",
    accept: "Accept",
    acceptThis: (name: string) => `Accept the description of ${name}`,
    none: "–",
    dataset: "the dataset",
    store: (count: number) => `Store ${counted(count, "description", "descriptions")}`,
    stored: (count: number) => `${counted(count, "description", "descriptions")} stored`,
    same: "Every suggestion equals the current description.",
    all: "Accept all",
    gone: "Dataset not found",
    goneText: "It was deleted, or you do not have access to it.",
    back: "Back to the dataset",
  },
};

/** The words of this table in one language. */
export type Words = typeof words;
