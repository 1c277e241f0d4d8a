// Controls of filter items: lists, menus, search boxes, dates and ranges of numbers.
// May import: core/web/charts, core/web/embed/selections, core/web/embed/view.
export { createFilterControl, type FilterControl } from "./createFilterControl.ts";
export { optionsQueryOf } from "./optionsQueryOf.ts";
