import { chooseWords } from "../language/index.ts";

const aggregations: Readonly<Record<string, string>> = {
  sum: "Sum",
  average: "Average",
  median: "Median",
  min: "Least",
  max: "Greatest",
  count: "Count",
  distinctcount: "Distinct count",
  stddev: "Standard deviation",
};

/** The words of measures. */
export const questionWords = chooseWords({ en: { countRows: "Count of rows", aggregations } });
