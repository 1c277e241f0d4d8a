// Questions about one dataset: columns on shelves, and the address, the item and the filters of a question.
// May import: core/web/charts, core/web/client, core/web/console/api, core/web/console/language,
// core/web/console/parts, core/web/console/styles, core/web/embed; lit.
export {
  kinds,
  nameOf,
  readDataset,
  signOf,
  type ExploredColumn,
  type ExploredDataset,
} from "./columns.ts";
export { cellWriter, type WrittenColumn } from "./cellWriter.ts";
export {
  isSameCalculation,
  nameOfCalculation,
  offeredCalculations,
  calculationOf,
  phraseOfMeasure,
} from "./calculations.ts";
export { chooseChart, itemOf, whereOf, type StoredItem } from "./itemOf.ts";
export { itemTitle } from "./itemTitle.ts";
export { describeFilter } from "./describeFilter.ts";
export { FilterFields, isFormFilter, type FilteredColumn } from "./filterFields.ts";
export { loadFilterWords } from "./loadFilterWords.ts";
export { formatChoice, type ChosenFormat, type FormatChoiceOptions } from "./formatChoice.ts";
export { formatField, writeExample, type FormatFieldOptions } from "./formatField.ts";
export { openFilter, type FilterOptions } from "./openFilter.ts";
export {
  aggregationSignatures,
  nameOfAggregation,
  offeredAggregations,
  phraseOf,
} from "./aggregations.ts";
export {
  emptyQuestion,
  readQuestion,
  shelves,
  withoutColumns,
  writeQuestion,
  type Filter,
  type Grouping,
  type Measure,
  type Order,
  type Question,
  type Shelf,
} from "./question.ts";
export { rankingOf, type Ranking } from "./rankingOf.ts";
export { inSentence } from "./inSentence.ts";
export { meaningOf, wordsIn } from "./meaningOf.ts";
export { questionTitle } from "./questionTitle.ts";
export { usualAggregation } from "./usualAggregation.ts";
export { saveToDashboard, type KeptFilters } from "./saveToDashboard.ts";
export {
  colorSlotOf,
  readStoredQuestion,
  withQuestion,
  type Inexpressible,
  type QuestionedItem,
  type StoredQuestion,
} from "./storedQuestion.ts";
export { questionWords } from "./questionWords.ts";
export { readProfile, type Bin, type Profile, type ProfiledColumn } from "./readProfile.ts";
export { periodMs } from "./periodMs.ts";
export { rowCountOf } from "./rowCountOf.ts";
export { withCapital } from "./withCapital.ts";
