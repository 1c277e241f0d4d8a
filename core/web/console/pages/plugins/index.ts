// The Plugins page: the registered plugins, and the results of the conformance kit.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/styles; lit.
export { PluginsPage } from "./pluginsPage.ts";
