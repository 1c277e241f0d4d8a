// The page Plugins: what is registered, and what the kit proved of it.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/styles; lit.
export { PluginsPage } from "./pluginsPage.ts";
