// The view of one item: its picture, its table, its states, and what the reader does with them.
// May import: core/charts, core/console/embed/drawScene.
export { createItemView, type ItemView, type ItemViewOptions } from "./createItemView.ts";
export type { Choice } from "./createPlot.ts";
export type { ItemPicture, ItemState } from "./itemPicture.ts";
