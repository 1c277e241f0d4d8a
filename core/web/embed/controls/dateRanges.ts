// Ranges of dates without a control, for the console. The first script of embedded dashboards must not import this
// file, so it is a door of its own.
export { createDateRange } from "./createDateRange.ts";
export { rangeOfTest, testOfRange } from "./rangeTest.ts";
export { rangeText } from "./rangeText.ts";
export { loadControlWords } from "./words/controlWordsOf.ts";
