// A dashboard on a page: its items by the grid, filters, selections.
// May import: core/charts, core/console/embed/controls, core/console/embed/custom, core/console/embed/host,
// core/console/embed/selections, core/console/embed/view.
export { createDashboard } from "./createDashboard.ts";
export type { DashboardLook } from "./createLook.ts";
export type { Dashboard } from "./dashboard.ts";
export type { DashboardEvents, ItemData } from "./dashboardEvents.ts";
export { knownLocale, knownZone } from "./knownPlace.ts";
