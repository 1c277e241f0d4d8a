// The Alerts page: alerts with their states and history, scheduled dashboards, channels, and a form for a new alert.
// May import: core/web/charts, core/web/console/api, core/web/console/language, core/web/console/parts,
// core/web/console/pictures, core/web/console/questions, core/web/console/records, core/web/console/styles,
// core/web/embed; lit.
export { AlertsPage } from "./alertsPage.ts";
