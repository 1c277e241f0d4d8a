// The frame of the console: the bar, the sign-in form, the command palette, and the page at the current address.
// May import: core/web/console/api, core/web/console/boards, core/web/console/language, core/web/console/navigation,
// core/web/console/pages/access, core/web/console/pages/account, core/web/console/pages/alerts,
// core/web/console/pages/ask, core/web/console/pages/dashboards, core/web/console/pages/data,
// core/web/console/pages/explore, core/web/console/pages/home, core/web/console/pages/plugins, core/web/console/parts,
// core/web/console/questions; lit.
export { ConsoleApp } from "./consoleApp.ts";
export { shellStyles } from "./styles.ts";
