// The frame of the console: the bar, the sign-in, the command palette, and the page of the address.
// May import: core/console/api, core/console/language, core/console/navigation, core/console/pages/access,
// core/console/pages/account, core/console/pages/alerts, core/console/pages/ask, core/console/pages/dashboards,
// core/console/pages/data, core/console/pages/explore, core/console/pages/home, core/console/pages/plugins,
// core/console/parts; lit.
export { ConsoleApp } from "./consoleApp.ts";
export { shellStyles } from "./styles.ts";
