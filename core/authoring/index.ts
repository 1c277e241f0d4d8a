// The command for authors of plugins: check, new, dev and bench.
// May import: core/connections, core/errors; plugins/conformance, plugins/protocol.
export { pluginUsage, runPluginCommand } from "./runPluginCommand.ts";
