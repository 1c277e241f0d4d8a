// Controls of filter items: lists, choices, search boxes, dates, ranges of numbers.
// May import: core/web/charts, core/web/embed/selections, core/web/embed/view.
export { createFilterControl, type FilterControl } from "./createFilterControl.ts";
export { optionsQueryOf } from "./optionsQueryOf.ts";
