// Pictures in the pages of others: one item of a dashboard, drawn into an element.
// May import: core/charts, core/console/embed/view.
export { drawScene } from "./drawScene.ts";
export {
  createItemView,
  type Choice,
  type ItemPicture,
  type ItemState,
  type ItemView,
  type ItemViewOptions,
} from "./view/index.ts";
export {
  createColors,
  darkTheme,
  lightTheme,
  queryOf,
  readItem,
  type ChartCell,
  type ChartItem,
  type ChartTheme,
  type Colors,
  type SlotField,
} from "../../charts/index.ts";
export { loadFonts } from "./loadFonts.ts";
