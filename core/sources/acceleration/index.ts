// Copies of live datasets in the store: loads, deltas, and the switch to a new copy.
// May import: core/base, core/catalog, core/identity, core/queries, core/sources/data, core/sources/synchronization;
// plugins/protocol; knex.
export { notifyChange, type Notification } from "./notifyChange.ts";
export { accelerate, type AccelerateContext, type Accelerated } from "./accelerate.ts";
