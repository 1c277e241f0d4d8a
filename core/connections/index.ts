// The plugins that this host can reach: in process, over HTTP, and bound to an account as a connection.
// May import: plugins/protocol, core/errors, core/config, core/call, core/access, core/resources/records; got, request-filtering-agent, typebox.
export { dataproviderHandlers } from "./dataprovider.ts";
export { type Egress, type EgressAnswer, type EgressCall, type EgressOptions } from "./egress.ts";
export { type InProcess, openInProcess } from "./inProcess.ts";
export { type ConnectionsOptions, openConnections } from "./openConnections.ts";
