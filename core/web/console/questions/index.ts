// Questions about one dataset: columns on shelves, and the address, the item and the filters of a question.
// May import: core/web/charts, core/web/client, core/web/console/api, core/web/console/language,
// core/web/console/parts; lit.
export {
  kinds,
  nameOf,
  readDataset,
  signOf,
  type ExploredColumn,
  type ExploredDataset,
} from "./columns.ts";
export { chooseChart, itemOf, whereOf, type StoredItem } from "./itemOf.ts";
export { itemTitle } from "./itemTitle.ts";
export { describeFilter } from "./describeFilter.ts";
export { formatField, writeExample, type FormatFieldOptions } from "./formatField.ts";
export { openFilter, readValues, type FilterOptions, type Suggestion } from "./openFilter.ts";
export { aggregationSignatures, nameOfAggregation, offeredAggregations } from "./aggregations.ts";
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
export { saveToDashboard, type KeptFilters } from "./saveToDashboard.ts";
export { questionWords } from "./words.ts";
