// What other sites use. The console uses more, through `index.ts`.
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
  type DashboardState,
  type SlotField,
} from "../charts/index.ts";
export {
  createDashboard,
  type Dashboard,
  type DashboardEvents,
  type DashboardLook,
  type ItemData,
} from "./dashboard/index.ts";
export { drawScene } from "./drawScene.ts";
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
export { loadFonts } from "./loadFonts.ts";
export {
  createItemView,
  type Choice,
  type ItemPicture,
  type ItemState,
  type ItemView,
  type ItemViewOptions,
} from "./view/index.ts";
