// Items and dashboards on a page: views for programs, and custom elements.
// May import: core/web/charts.
export {
  createDateRange,
  rangeOfTest,
  rangeText,
  testOfRange,
  type DateRange,
} from "./controls/dateRanges.ts";
export { drawScene } from "./drawScene.ts";
export {
  createItemView,
  hostSorting,
  paintScene,
  type Choice,
  type Sorting,
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
} from "../charts/index.ts";
export {
  createDashboard,
  type Dashboard,
  type DashboardEvents,
  type DashboardLook,
  type DashboardState,
  type ItemData,
} from "./dashboard/index.ts";
export {
  defineElements,
  ManifoldDashboard,
  ManifoldItem,
  type DashboardEvent,
  type DashboardListeners,
  type DashboardProperties,
  type EditorEvents,
  type EditorListeners,
  type EditorProperties,
  type ItemProperties,
  type ThemeName,
} from "./elements/index.ts";
export {
  createCallHost,
  createTokens,
  HostError,
  type CallHost,
  type GetToken,
  type IssuedToken,
} from "./host/index.ts";
export { loadEditor } from "./loadEditor.ts";
export { saveFile } from "./menu/index.ts";
export { loadFonts } from "./loadFonts.ts";
