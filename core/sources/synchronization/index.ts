// Metadata synchronization: updates the columns of live datasets from their source, and measures statistics.
// May import: core/base, core/catalog, core/queries, core/resources; plugins/protocol; knex, p-queue.
export { createSynchronizer, type Synchronizer } from "./createSynchronizer.ts";
export { synchronizing } from "./synchronizing.ts";
export { type SyncReport, synchronizeDataset } from "./synchronizeDataset.ts";
export { synchronizeByClock } from "./synchronizeByClock.ts";
