// The resource `data`: rows pushed into the store, and the door to data queries.
// May import: core/errors, core/call, core/access, core/queries, the contracts of core/resources and core/connections, plugins/protocol, p-queue.
export { dataHandlers, type DataHandlersOptions } from "./dataHandlers.ts";
export { pushRowLimit } from "./parsePush.ts";
export { reconcileStore } from "./reconcileStore.ts";
