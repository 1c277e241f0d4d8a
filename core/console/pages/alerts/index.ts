// The page Alerts of the console.
// May import: core/console/language, core/console/parts; lit.
export { AlertsPage } from "./alertsPage.ts";
