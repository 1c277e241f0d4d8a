// The sources of data: plugins and connections, pushes and uploads, synchronization, and copies of live datasets.
// May import: nothing.

export {
  accelerate,
  type Accelerated,
  type Notification,
  notifyChange,
} from "./acceleration/index.ts";
export {
  createGrants,
  createGuardedFetch,
  dataproviderHandlers,
  type Egress,
  type EgressAnswer,
  type EgressCall,
  type Egresses,
  explainPlugin,
  figuresOf,
  filesFolder,
  type InProcess,
  isMetadataAddress,
  isPublicAddress,
  openConnections,
  openEgress,
  openEgresses,
  openInProcess,
  overHttp,
  ownConnectorSlugs,
  parseGrant,
  readAllowed,
  readOrigin,
  storeSlugs,
} from "./connections/index.ts";
export {
  claimFormerRows,
  claimStore,
  createPushRequests,
  dataHandlers,
  type DataHandlersOptions,
  openUploads,
  reconcileStore,
  refuseSharers,
} from "./data/index.ts";
export { drivers, installNow, isDriverName, openDrivers } from "./drivers/index.ts";
export {
  createSynchronizer,
  synchronizeByClock,
  type Synchronizer,
  synchronizing,
  type SyncReport,
} from "./synchronization/index.ts";
