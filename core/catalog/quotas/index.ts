// Quotas of organizations: their limits, their usage across all hosts, and the refusal of calls that exceed a limit.
// May import: core/base, core/catalog/catalogMemory, core/catalog/log; knex.
export { answerQuota, type ShownQuotas } from "./answerQuota.ts";
export { openQuotas, type Quotas, type QuotaState } from "./openQuotas.ts";
export type { Stored } from "./refuseStored.ts";
export { isQuotaName, type Limits, parseLimits, quotaNames } from "./quotaLimits.ts";
