// The custom elements of pages: a dashboard, and one item of it.
// May import: core/charts, core/console/embed/dashboard, core/console/embed/host, core/console/embed/loadFonts.
export { defineElements } from "./defineElements.ts";
export type {
  DashboardListeners,
  DashboardProperties,
  ItemProperties,
} from "./elementProperties.ts";
export {
  ManifoldDashboard,
  ManifoldItem,
  type DashboardEvent,
  type ThemeName,
} from "./manifoldDashboard.ts";
