// Scheduled work: due slots, durable jobs, alerts with their ledger, and deliveries.
// May import: core/base, core/catalog, core/exports, core/identity, core/queries, core/resources, core/sources,
// core/web/charts; plugins/conformance, plugins/protocol; knex, nodemailer, pg-boss, typebox.
export { createTables } from "./queue/createTables.ts";
export { queueHandlers } from "./queueHandlers.ts";
export { loadAtOnce } from "./loadAtOnce.ts";
export { openJobs, type Jobs, type JobsOptions } from "./openJobs.ts";
export { webhookEvents, webhookSchema, type WebhookType } from "./deliveries/webhookEvents.ts";
export type { Subscriptions } from "./deliveries/subscriptions.ts";
export type { PastOfAlert } from "./alerts/pastOfAlert.ts";
export type { JobsPace } from "./jobsPace.ts";
export type { JobHandlers } from "./actions/jobHandlers.ts";
