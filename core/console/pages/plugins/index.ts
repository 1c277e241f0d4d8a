// The page Plugins: what is registered, and what the kit proved of it.
// May import: core/console/api, core/console/language, core/console/parts, core/console/styles; lit.
export { PluginsPage } from "./pluginsPage.ts";
