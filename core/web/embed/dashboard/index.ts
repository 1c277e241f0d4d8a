// A dashboard on a page: its items in a grid, filters and selections.
// May import: core/web/charts, core/web/embed/controls, core/web/embed/custom, core/web/embed/host,
// core/web/embed/media, core/web/embed/menu, core/web/embed/selections, core/web/embed/view.
export { createDashboard } from "./createDashboard.ts";
export { menuParts, type DashboardLook, type MenuPart } from "./createLook.ts";
export type { Dashboard } from "./dashboard.ts";
export type { DashboardEvents, ItemData } from "./dashboardEvents.ts";
export { knownLocale, knownZone } from "./knownLocale.ts";
