// The page Dashboards: the list, and one dashboard to see, to edit, to publish and to embed.
// May import: core/charts, core/console/api, core/console/embed, core/console/language, core/console/parts,
// core/console/pictures, core/console/questions, core/console/styles; lit.
export { DashboardsPage } from "./dashboardsPage.ts";
