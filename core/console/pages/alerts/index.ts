// The page Alerts: the list with states, channels, the ledger of one alert, and a new one from a chart.
// May import: core/charts, core/console/api, core/console/embed, core/console/language, core/console/parts,
// core/console/pictures, core/console/questions, core/console/styles; lit.
export { AlertsPage } from "./alertsPage.ts";
