// Metadata synchronization: columns of live datasets follow their source; statistics are measured in the background.
// May import: core/base, core/catalog, core/queries, core/resources; plugins/protocol; knex, p-queue.
export { createSynchronizer, type Synchronizer } from "./createSynchronizer.ts";
export { synchronizing } from "./synchronizing.ts";
export { type SyncReport, synchronizeDataset } from "./synchronizeDataset.ts";
export { synchronizeByClock } from "./synchronizeByClock.ts";
