import { chooseWords, counted } from "../../language/index.ts";

/** The words of the page. */
export const words = chooseWords({
  en: {
    title: "Ask",
    intro:
      "Ask in your own words. The answer is a query over your data that you can see, change and keep.",
    question: "Your question",
    questionHint: "Such as: sales by region last year",
    datasets: "About",
    anyDataset: "Any dataset that you may see",
    ofDashboard: (name: string) => `The data of ${name}`,
    ask: "Ask",
    asking: "The model is writing a query",
    writing: "The model is writing about the answer",
    stopped: "Stopped. The conversation does not keep this answer.",
    stop: "Stop",
    unavailable: "No model is set up",
    unavailableText:
      "Whoever runs this host sets MANIFOLD_AI_URL, MANIFOLD_AI_KEY and MANIFOLD_AI_MODEL. Everything else works without a model.",
    explore: "Explore data",
    you: "You",
    choose: "Choose one",
    struck: (count: number) =>
      count === 1
        ? "One number without a ground in the data was struck out: [?]"
        : `${count} numbers without a ground in the data were struck out: [?]`,
    cut: "There are more rows than are shown.",
    query: "The query",
    showQuery: "Show the query",
    hideQuery: "Hide the query",
    queryHint: "Change it by hand, then ask it again. It is asked with your own rights.",
    askAgain: "Ask this query",
    notJson: "This is not a JSON object.",
    openInExplore: "Open in Explore",
    keep: "Keep",
    kept: (name: string) => `Saved to ${name}`,
    notKept: (problem: string) => `A dashboard cannot keep this query: ${problem}.`,
    answer: "Answer",
    table: "Rows",
    rows: "Rows",
    formula: "Formula",
    noRows: "No row matches.",
    describe: {
      title: (name: string) => `Describe ${name}`,
      intro:
        "A model reads the names and suggests descriptions. Nothing is stored before you accept it, line by line.",
      ask: "Suggest descriptions",
      asking: "The model is writing descriptions",
      of: "Describes",
      now: "Now",
      suggested: "Suggested",
      accept: "Accept",
      acceptThis: (name: string) => `Accept the description of ${name}`,
      none: "–",
      dataset: "the dataset",
      store: (count: number) => `Store ${counted(count, "description", "descriptions")}`,
      stored: (count: number) => `${counted(count, "description", "descriptions")} stored`,
      same: "Every suggestion is what is there already.",
      all: "Accept all",
      gone: "This dataset is not here",
      goneText: "It was deleted, or you may not see it.",
      back: "Back to the dataset",
    },
  },
});
