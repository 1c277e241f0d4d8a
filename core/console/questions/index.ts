// Questions of one dataset: columns on shelves, their text in an address, and the item and filters that they become.
// May import: core/console/api, core/console/language, core/console/parts.
export type { ChartType } from "./chartTypes.ts";
export {
  kinds,
  nameOf,
  readDataset,
  signOf,
  type ExploredColumn,
  type ExploredDataset,
} from "./columns.ts";
export { chooseChart, itemOf, whereOf, type StoredItem } from "./itemOf.ts";
export {
  emptyQuestion,
  readQuestion,
  shelves,
  writeQuestion,
  type Filter,
  type Grouping,
  type Question,
  type Shelf,
} from "./question.ts";
export { questionWords } from "./words.ts";
