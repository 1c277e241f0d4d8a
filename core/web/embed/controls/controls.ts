// The script of filter items. Dashboards with filter items load it before they query their items.
// Reached through this script, so that the first script of embedded dashboards stays small.
export { readControlValue } from "../../charts/index.ts";
export { clauseOfControl } from "./clauseOfControl.ts";
export { comparedPeriodOf } from "./comparedPeriodOf.ts";
export { createFilterControl } from "./createFilterControl.ts";
export { defaultValueOf } from "./defaultValueOf.ts";
export { formOf } from "./formOf.ts";
export { loadControlWords } from "./words/controlWordsOf.ts";
export { optionsQueryOf } from "./optionsQueryOf.ts";
