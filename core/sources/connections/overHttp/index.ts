// Plugins over HTTP: a record becomes a plugin, for every protocol version.
// May import: core/base, core/sources/connections/egress; plugins/protocol; typebox.
export { overHttp } from "./overHttp.ts";
export { requestHeaders } from "./requestHeaders.ts";
export type { RemotePlugin } from "./remotePlugin.ts";
