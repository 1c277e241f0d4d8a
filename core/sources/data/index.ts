// The resource `data`: pushes rows into the store, and answers data queries.
// May import: core/base, core/catalog, core/identity, core/queries, core/resources; plugins/protocol,
// plugins/rows/formats; knex.
export { claimFormerRows } from "./claimFormerRows.ts";
export { claimStore, refuseSharers, type StoreClaim } from "./claimStore.ts";
export { createPushRequests, type PushRequests } from "./pushRequests.ts";
export { dataHandlers, type DataHandlersOptions } from "./dataHandlers.ts";
export { pushRowLimit } from "./parsePush.ts";
export { openUploads } from "./uploads/index.ts";
export { reconcileStore } from "./reconcileStore.ts";
export { releaseRows } from "./releaseRows.ts";
