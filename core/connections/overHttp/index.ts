// Plugins over HTTP: a record becomes a plugin, for every protocol version.
// May import: plugins/protocol, core/connections/egress; typebox.
export { overHttp } from "./overHttp.ts";
export type { RemotePlugin } from "./remotePlugin.ts";
