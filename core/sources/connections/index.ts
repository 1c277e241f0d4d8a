// The plugins that this host can reach, in its process or over HTTP, and the connections that bind them to accounts.
// May import: core/base, core/catalog, core/queries, core/resources, core/sources/drivers; connectors/clickhouse,
// connectors/duckdb, connectors/files, connectors/mysql, connectors/postgres, connectors/rest, connectors/sqlite,
// plugins/protocol, plugins/strata; got, knex.
export { createGuardedFetch } from "./createGuardedFetch.ts";
export { ownConnectorSlugs } from "./connectors.ts";
export { explainPlugin } from "./explainPlugin.ts";
export { dataproviderHandlers } from "./dataprovider.ts";
export { openEgress } from "./egress.ts";
export { openEgresses, type Egresses } from "./openEgresses.ts";
export { createGrants, parseGrant, readOrigin } from "./grants.ts";
export { readAllowed } from "./egress.ts";
export { type Egress, type EgressAnswer, type EgressCall, type EgressOptions } from "./egress.ts";
export { isMetadataAddress, isPublicAddress } from "./isPublicAddress.ts";
export { figuresOf } from "./figuresOf.ts";
export { filesFolder, type InProcess, openInProcess, storeSlugs } from "./inProcess.ts";
export { overHttp } from "./overHttp/index.ts";
export { type ConnectionsOptions, openConnections } from "./openConnections.ts";
