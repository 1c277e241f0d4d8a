// A dashboard on a page: its items by the grid, filters, selections.
// May import: core/charts, core/console/embed/host, core/console/embed/view.
export { createDashboard, type Dashboard, type DashboardLook } from "./createDashboard.ts";
export type { DashboardEvents, ItemData } from "./dashboardEvents.ts";
export { knownLocale, knownZone } from "./knownPlace.ts";
