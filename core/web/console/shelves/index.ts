// Shelves: the columns of a dataset as a list, and the shelves on which a reader places them to ask a question.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/questions,
// core/web/embed; lit.
export { addColumn, moveColumn, withFilter } from "./changeQuestion.ts";
export { ColumnList } from "./columnList.ts";
export type { DraggedColumn } from "./dragColumn.ts";
export { shelvesView, type ShelvesOptions } from "./shelvesView.ts";
export { shelfStyles } from "./styles.ts";
