// The view of one item: its picture, table, states and interaction.
// May import: core/web/charts, core/web/embed/drawScene.
export { createItemView, type ItemView, type ItemViewOptions } from "./createItemView.ts";
export type { Choice } from "./createPlot.ts";
export type { ItemPicture, ItemState } from "./itemPicture.ts";
export { adoptStyles, lazySheet } from "./adoptStyles.ts";
export { applyTheme } from "./applyTheme.ts";
export { element } from "./element.ts";
export { viewWordsOf } from "./viewWords.ts";
