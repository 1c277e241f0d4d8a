// The resource `data`: rows pushed into the store, and the door to data queries.
// May import: core/access, core/audit, core/catalog, core/contracts, core/errors, core/json, core/operations,
// core/outbox, core/queries, core/quotas, core/resources; plugins/protocol; knex.
export { claimFormerRows } from "./claimFormerRows.ts";
export { claimStore, refuseSharers, type StoreClaim } from "./claimStore.ts";
export { createPushRequests, type PushRequests } from "./pushRequests.ts";
export { dataHandlers, type DataHandlersOptions } from "./dataHandlers.ts";
export { pushRowLimit } from "./parsePush.ts";
export { reconcileStore } from "./reconcileStore.ts";
