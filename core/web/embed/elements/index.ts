// The custom elements for pages: a dashboard, and a single item.
// May import: core/web/charts, core/web/embed/dashboard, core/web/embed/host, core/web/embed/loadFonts.
export { defineElements } from "./defineElements.ts";
export type { EditorEvents, EditorListeners, EditorProperties } from "./editorProperties.ts";
export type {
  DashboardListeners,
  DashboardProperties,
  ItemProperties,
} from "./elementProperties.ts";
export { ManifoldDashboard, type DashboardEvent, type ThemeName } from "./manifoldDashboard.ts";
export { ManifoldItem } from "./manifoldItem.ts";
