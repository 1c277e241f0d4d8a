// Usage of organizations by month: viewers, views, questions, exports and calls of the model.
// May import: core/base, core/catalog/log; knex.
export { countUsage } from "./countUsage.ts";
export { openUsageCounts, type UsageCounts } from "./openUsageCounts.ts";
export { usageHandlers } from "./usageHandlers.ts";
export { keptMonths } from "./usageKinds.ts";
