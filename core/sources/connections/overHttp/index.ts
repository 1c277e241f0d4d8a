// Plugins over HTTP: turns the record of a plugin into a plugin, for every protocol version.
// May import: core/base, core/sources/connections/egress; plugins/protocol; typebox.
export { askVersion, type AskedVersion } from "./askVersion.ts";
export { overHttp } from "./overHttp.ts";
export { requestHeaders } from "./requestHeaders.ts";
export type { RemotePlugin } from "./remotePlugin.ts";
