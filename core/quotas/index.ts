// How much of a host each organization may use: limits, counts over all hosts, refusals.
// May import: core/catalog, core/contracts, core/errors, core/json; knex.
export { answerQuota, type ShownQuotas } from "./answerQuota.ts";
export { openQuotas, type Quotas, type QuotaState } from "./openQuotas.ts";
export { isQuotaName, type Limits, parseLimits, quotaNames } from "./quotaLimits.ts";
