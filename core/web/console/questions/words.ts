import { chooseWords } from "../language/index.ts";

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
  "? is null": "is empty",
  "? is not null": "is not empty",
};

/** The words of measures and filters. */
export const questionWords = chooseWords({
  en: {
    countRows: "Count of rows",
    tests,
    filterTitle: (column: string) => `Filter ${column}`,
    test: "Test",
    value: "Value",
    values: "Values",
    searchValues: "Search values",
    none: "No value",
    noValues: "No value has this in it.",
    apply: "Apply filter",
    cancel: "Cancel",
    numberFormatHint: "As in D3: ,.2f has two decimals; .0% is a percentage.",
    dateFormatHint: "As in D3: %d-%m-%Y is day, month, year.",
    example: (written: string): string => `Example: ${written}`,
    noNumberFormat: "D3 knows no such format. Digits are chosen by the value.",
    noDateFormat:
      "A format of dates has parts such as %Y. Without one, the date is written in full.",
  },
});

/** The words of keeping an item on a dashboard. */
export const savingWords = chooseWords({
  en: {
    saveTitle: "Save to a dashboard",
    dashboard: "Dashboard",
    newDashboard: "A new dashboard",
    dashboardName: "Name of the dashboard",
    saveAction: "Save chart",
  },
});
