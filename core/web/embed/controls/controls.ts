// The script of filter items. Dashboards with filter items load it before they query their items.
export { clauseOfControl } from "./clauseOfControl.ts";
export { comparedPeriodOf } from "./comparedPeriodOf.ts";
export { createFilterControl } from "./createFilterControl.ts";
export { readControlValue } from "./readControlValue.ts";
export { defaultValueOf } from "./defaultValueOf.ts";
export { formOf } from "./formOf.ts";
export { loadControlWords } from "./words/controlWordsOf.ts";
export { optionsQueryOf } from "./optionsQueryOf.ts";
