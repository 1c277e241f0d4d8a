// Controls of filter items: lists, choices, search boxes, dates, ranges of numbers.
// May import: core/charts, core/console/embed/selections, core/console/embed/view.
export { createFilterControl, type FilterControl } from "./createFilterControl.ts";
export { optionsQueryOf } from "./optionsQueryOf.ts";
