// Copies of live datasets in the store: loads, deltas, and the switch to a new copy.
// May import: core/access, core/catalog, core/contracts, core/errors, core/outbox, core/queries, core/synchronization;
// plugins/protocol; knex.
export { notifyChange, type Notification } from "./notifyChange.ts";
export { accelerate, type AccelerateContext, type Accelerated } from "./accelerate.ts";
