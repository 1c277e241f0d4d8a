// The view of one item: its picture, table, states and interaction.
// May import: core/web/charts, core/web/embed/drawScene.
export {
  createCoveredView,
  type Cover,
  type CoveredViewOptions,
  type CoverOptions,
} from "./createCoveredView.ts";
export { createItemView, type ItemView, type ViewChanges } from "./createItemView.ts";
export type { ItemViewOptions } from "./itemViewOptions.ts";
export type { Choice } from "./createPlot.ts";
export type { ItemPicture, ItemState } from "./itemPicture.ts";
export { hostSorting } from "./hostSorting.ts";
export type { Sorting } from "./sortRows.ts";
export { adoptStyles, lazySheet } from "./adoptStyles.ts";
export { applyTheme } from "./applyTheme.ts";
export { element } from "./element.ts";
export { paintScene } from "./paintScene.ts";
export { placeBelow } from "./placeBelow.ts";
export { loadLanguage, viewWordsOf } from "./viewWordsOf.ts";
