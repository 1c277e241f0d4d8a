// Takes backups of a running host, and restores them.
// May import: core/base, core/catalog, core/jobs, core/operating/operator, core/sources; plugins/protocol; aws4fetch,
// pg, pg-copy-streams, typebox.
export { backupUsage, runBackupCommand, runRestoreCommand } from "./runBackupCommand.ts";
export { gateStores } from "./gateStores.ts";
export { holdSnapshot } from "./holdSnapshot.ts";
