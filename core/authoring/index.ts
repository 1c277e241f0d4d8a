// The command for authors of plugins: check, new, dev and bench.
// May import: core/client, core/connections, core/errors, core/process; plugins/conformance, plugins/protocol.
export { pluginUsage, runPluginCommand } from "./runPluginCommand.ts";
