// How much of a host each organization may use: limits, counts over all hosts, refusals.
// May import: core/base, core/catalog/catalogMemory, core/catalog/log; knex.
export { answerQuota, type ShownQuotas } from "./answerQuota.ts";
export { openQuotas, type Quotas, type QuotaState } from "./openQuotas.ts";
export { isQuotaName, type Limits, parseLimits, quotaNames } from "./quotaLimits.ts";
