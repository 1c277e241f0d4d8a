// The page Dashboards of the console.
// May import: core/console/language, core/console/parts; lit.
export { DashboardsPage } from "./dashboardsPage.ts";
