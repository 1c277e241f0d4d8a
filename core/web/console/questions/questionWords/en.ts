const tests: Readonly<Record<string, string>> = {
  "? in ?": "is one of",
  "? not in ?": "is none of",
  "? like ?": "contains",
  "? = ?": "is",
  "? != ?": "is not",
  "? > ?": "is more than",
  "? >= ?": "is at least",
  "? < ?": "is less than",
  "? <= ?": "is at most",
  "? between ?": "is between",
  range: "is in the range",
  "? is null": "is empty",
  "? is not null": "is not empty",
};

/** The words in English. */
export const words = {
  countRows: "Count of rows",
  savedQuestion: "Saved question",
  aggregations: {
    sum: "Total",
    average: "Average",
    median: "Median",
    min: "Minimum",
    max: "Maximum",
    count: "Count",
    distinctcount: "Distinct count",
    stddev: "Standard deviation",
    corr: "Correlation",
    percentile: "Percentile",
    weightedaverage: "Weighted average",
    cumulativesum: "Running total",
  },
  calculations: {
    share_of_total: "share of the total",
    rank: "rank",
    past: { period: "previous period", year: "previous year" },
    absolute_change: {
      period: "difference from the previous period",
      year: "difference from the previous year",
    },
    percentage_change: {
      period: "change from the previous period in %",
      year: "change from the previous year in %",
    },
  },
  phrases: {
    sum: (column: string) => `Total ${column}`,
    average: (column: string) => `Average ${column}`,
    median: (column: string) => `Median ${column}`,
    min: (column: string) => `Minimum ${column}`,
    max: (column: string) => `Maximum ${column}`,
    count: (column: string) => `Count of ${column}`,
    distinctcount: (column: string) => `Distinct count of ${column}`,
    stddev: (column: string) => `Standard deviation of ${column}`,
  },
  /** Whether nouns have a capital inside sentences. */
  hasCapitalNouns: false,
  /** A name with its value. */
  labelled: (name: string, value: string) => `${name}: ${value}`,
  by: (measures: string, dimensions: string) => `${measures} by ${dimensions}`,
  /** The names of datetime levels inside sentences, from the year (1). */
  levels: ["", "year", "quarter", "month", "week", "day", "hour", "minute", "second"],
  tests,
  filterTitle: (column: string) => `Filter ${column}`,
  test: "Test",
  value: "Value",
  atLeast: "At least",
  atMost: "At most",
  mostValues: (count: string) => `These are the ${count} most frequent values. Search for others.`,
  values: "Values",
  searchValues: "Search values",
  none: "No value",
  noValues: "No values match.",
  apply: "Apply filter",
  cancel: "Cancel",
  numberFormatHint: "Enter a D3 format: ,.2f shows two decimals, .0% a percentage.",
  dateFormatHint: "Enter a D3 format: %d/%m/%Y shows day, month and year.",
  automaticFormat: "Automatic",
  customFormat: "Custom",
  customFormatOf: (field: string): string => `${field}: D3 format`,
  currency: "Currency",
  currencyHint: "A code of three letters, such as CHF.",
  example: (written: string): string => `Example: ${written}`,
  noNumberFormat: "This is not a D3 number format, so the number of digits depends on the value.",
  noDateFormat:
    "A date format needs at least one part such as %Y. Without one, dates are written in full.",
};

/** The words of this table in one language. */
export type QuestionWords = typeof words;
