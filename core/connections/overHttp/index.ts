// Plugins over HTTP: a record becomes a plugin, for every protocol version.
// May import: core/connections/egress, core/json; plugins/protocol; typebox.
export { overHttp } from "./overHttp.ts";
export { featureFlags, type RemotePlugin } from "./remotePlugin.ts";
