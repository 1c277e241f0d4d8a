// The command for authors of plugins: check, new, dev and bench.
// May import: core/base, core/sources, core/web/client; plugins/conformance, plugins/protocol.
export { pluginUsage, runPluginCommand } from "./runPluginCommand.ts";
