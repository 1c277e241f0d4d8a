// The plugins that this host can reach: in process, over HTTP, and bound to an account as a connection.
// May import: core/base, core/catalog, core/queries, core/resources; plugins/protocol; got, knex.
export { createGuardedFetch } from "./createGuardedFetch.ts";
export { explainPlugin } from "./explainPlugin.ts";
export { dataproviderHandlers } from "./dataprovider.ts";
export { openEgress } from "./egress.ts";
export { openEgresses, type Egresses } from "./openEgresses.ts";
export { createGrants, parseGrant } from "./grants.ts";
export { readAllowed } from "./egress.ts";
export { type Egress, type EgressAnswer, type EgressCall, type EgressOptions } from "./egress.ts";
export { isMetadataAddress, isPublicAddress } from "./isPublicAddress.ts";
export { figuresOf } from "./figuresOf.ts";
export { filesFolder, type InProcess, openInProcess, storeSlugs } from "./inProcess.ts";
export { overHttp } from "./overHttp/index.ts";
export { type ConnectionsOptions, openConnections } from "./openConnections.ts";
