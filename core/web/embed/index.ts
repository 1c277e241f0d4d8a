// Items and dashboards on a page: views for programs, and custom elements.
// May import: core/web/charts.
export * from "./published.ts";
export {
  createDateRange,
  loadControlWords,
  rangeOfTest,
  rangeText,
  testOfRange,
} from "./controls/dateRanges.ts";
export type { DateRange } from "../charts/index.ts";
export { saveFile } from "./menu/index.ts";
export { hostSorting, paintScene, type Sorting } from "./view/index.ts";
