// The host's own records: connection, schema, encryption.
// May import: core/base; knex, pg.
export { arrayBinding } from "./arrayBinding.ts";
export { openCatalog, type Catalog, type CatalogOptions } from "./catalog.ts";
export type { CatalogAddress } from "./catalogAddress.ts";
export { catalogFailureOf, type CatalogFailure } from "./catalogFailure.ts";
export { openSealed, refuseLost, sealContext } from "./sealedMembers.ts";
export { connectionCounts } from "./connectionCounts.ts";
export { createCipher, keyIdOf, markWith, SecretLost, type Cipher } from "./cipher.ts";
export { urlOfAddress } from "./urlOfAddress.ts";
export {
  openCipher,
  readHostSecret,
  type HostSecretOptions,
  type HostSecretsOptions,
} from "./hostSecret.ts";
export { migrateTo } from "./migrate.ts";
export { createCatalogMemory, nameOfCaller, type CatalogMemory } from "./catalogMemory.ts";
export { forgetChanges } from "./forgetChanges.ts";
export type { Log } from "./log.ts";
export { openPresence, presentKeys, type Presence } from "./openPresence.ts";
export {
  openEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from "./postgres/embeddedPostgres.ts";
export { writeTemplate, type TemplateOptions } from "./writeTemplate.ts";
export type { ServerAddress } from "./postgres/waitUntilReady.ts";
export {
  type Actor,
  type Change,
  createReadAudit,
  type NoteRefusal,
  openRefusals,
  type ReadAudit,
  readChain,
  readEnds,
  removeEvents,
  stampEvent,
  type VerifiedChain,
  verifyAudit,
  writeAudit,
  writeAudits,
} from "./audit/index.ts";
export {
  addTask,
  carryOutDue,
  countPush,
  openOutbox,
  type Outbox,
  type PushedRequest,
} from "./outbox/index.ts";
export {
  answerQuota,
  isQuotaName,
  type Limits,
  openQuotas,
  parseLimits,
  quotaNames,
  type Quotas,
  type Stored,
} from "./quotas/index.ts";
export {
  countUsage,
  keptMonths,
  openUsageCounts,
  type UsageCounts,
  usageHandlers,
} from "./usage/index.ts";
