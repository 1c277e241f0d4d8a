// The host, for those who embed it: `import { openHost } from "manifold"`.
// May import: core/acceleration, core/access, core/account, core/assets, core/assistant, core/audit, core/authoring,
// core/backup, core/calls, core/catalog, core/connections, core/contracts, core/data, core/doctor, core/exports,
// core/factors, core/isolation, core/jobs, core/json, core/middleware, core/move, core/openapi, core/operations,
// core/operator, core/outbox, core/process, core/queries, core/quotas, core/resources, core/secrets, core/server,
// core/signOn, core/synchronization, core/transfer; @koa/router, koa, pino.
export { openHost, type Host, type HostOptions } from "./host.ts";
export { type Config, settings } from "./config.ts";
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from "./catalog/index.ts";
export { untilStopped } from "./process/index.ts";
