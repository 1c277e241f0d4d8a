// The Dashboards page: a list of dashboards, and one dashboard to view, edit, publish and embed.
// May import: core/web/charts, core/web/console/api, core/web/console/boards, core/web/console/language,
// core/web/console/navigation, core/web/console/parts, core/web/console/pictures, core/web/console/questions,
// core/web/console/records, core/web/console/sharing, core/web/console/shelves, core/web/console/styles,
// core/web/embed; lit.
export { DashboardsPage } from "./dashboardsPage.ts";
