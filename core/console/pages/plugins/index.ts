// The page Plugins of the console.
// May import: core/console/language, core/console/parts; lit.
export { PluginsPage } from "./pluginsPage.ts";
